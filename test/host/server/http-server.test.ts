import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Listening, listen } from "../../../src/host/server/listen.ts";
import { apiWith } from "../../support/http/request-api.ts";
import { listedJob } from "../../support/story/listed-job.ts";

let server: Listening;
let port: number;

beforeAll(async () => {
  const { app } = await apiWith([listedJob()], { kind: "loopback" });
  server = await listen(app, { host: "127.0.0.1", port: 0 });
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());

/** The answer of the server to these bytes, until it closes the connection. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("end", () => resolve(received));
    socket.on("error", reject);
  });
}

const request = (line: string, ...headers: readonly string[]): string =>
  `${[line, "host: localhost", "connection: close", ...headers].join("\r\n")}\r\n\r\n`;

describe("a server on a socket", () => {
  it("answers a request", async () => {
    expect(await send(request("GET /v1/jobs HTTP/1.1"))).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it.each([
    ["bytes that are not HTTP", "\u0000\u0001\u0002\r\n\r\n", 400],
    ["a header that never ends", request("GET /v1/jobs HTTP/1.1", `x: ${"a".repeat(20_000)}`), 431],
    ["a URL that never ends", request(`GET /v1/jobs?name=${"a".repeat(20_000)} HTTP/1.1`), 431],
    ["method TRACE", request("TRACE /v1/jobs HTTP/1.1"), 405],
    ["an unknown method", request("BREW /v1/jobs HTTP/1.1"), 400],
    ["a GET with a body", `${request("GET /v1/jobs HTTP/1.1", "content-length: 5")}12345`, 400],
    ["a body that never arrives", request("POST /v1/jobs HTTP/1.1", "content-length: 500"), 405],
    ["a Host that is not local", request("GET /v1/jobs HTTP/1.1").replace("localhost", "evil.example.org"), 403],
    ["an invalid URL", request("GET //[/v1 HTTP/1.1"), 404],
    ["no Host", "GET /v1/jobs HTTP/1.0\r\n\r\n", 403],
    ["an invalid Host", request("GET /v1/jobs HTTP/1.1").replace("localhost", "loc alhost:99999"), 400],
    ["OPTIONS *", request("OPTIONS * HTTP/1.1"), 400],
    ["CONNECT", request("CONNECT example.org:443 HTTP/1.1"), 405],
    ["an invalid percent-encoding", request("GET /v1/clusters/%E0%A4%A/namespaces/a/jobs/b HTTP/1.1"), 400],
  ])("answers %s with a problem", async (_, bytes, status) => {
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
  });

  it.each([
    ["of HTTP/1.0 without a Host", "GET /v1/healthz HTTP/1.0\r\n\r\n"],
    ["with an unknown Expect header", request("GET /v1/healthz HTTP/1.1", "expect: banana")],
  ])("answers a health probe %s", async (_, bytes) => {
    expect(await send(bytes)).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it("answers 1,000 connections at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => send(request("GET /v1/jobs?limit=1 HTTP/1.1"))),
    );
    expect(answers.filter((answer) => !answer.startsWith("HTTP/1.1 200 OK"))).toEqual([]);
  });

  describe("with many requests of one caller at once", () => {
    const CALLERS = 20;
    const SPIN_MILLIS = 10;
    let handled: string[];
    let busy: Listening;

    beforeAll(async () => {
      const app = new Hono();
      app.get("/", (context) => {
        handled.push(context.req.header("authorization") ?? "");
        const until = performance.now() + SPIN_MILLIS;
        while (performance.now() < until);
        return context.text("done");
      });
      busy = await listen(app, { host: "127.0.0.1", port: 0 });
    });
    beforeEach(() => {
      handled = [];
    });
    afterAll(() => busy.close());

    /** Sends all requests in one turn of the event loop, over open connections: the server finds them together. */
    async function sendAtOnce(callers: readonly string[]): Promise<readonly Socket[]> {
      const to = Number(new URL(busy.url).port);
      const sockets = callers.map(() => connect(to, "127.0.0.1"));
      for (const socket of sockets) socket.write("GET /open HTTP/1.1\r\nhost: localhost\r\n\r\n");
      await Promise.all(sockets.map((socket) => once(socket, "data")));
      for (const [index, socket] of sockets.entries()) {
        socket.write(request("GET / HTTP/1.1", `authorization: ${callers[index]}`));
      }
      return sockets;
    }
    const many = Array.from({ length: CALLERS }, () => "many");

    it("answers another caller before most of them", async () => {
      const sockets = await sendAtOnce([...many, "other"]);
      await Promise.all(sockets.map((socket) => once(socket, "close")));
      expect(handled).toHaveLength(CALLERS + 1);
      expect(handled.indexOf("other")).toBeLessThan(5);
    });

    it("does not start those whose client has left", async () => {
      const sockets = await sendAtOnce([...many, "other"]);
      const other = sockets.at(-1);
      if (other === undefined) throw new Error("There is no other caller.");
      await once(other, "close");
      const left = sockets.slice(0, CALLERS);
      for (const socket of left) socket.resetAndDestroy();
      await fetch(busy.url);
      expect(handled.length).toBeLessThan(CALLERS);
    });
  });

  it("still answers after all these requests", async () => {
    expect((await fetch(`${server.url}/v1/readyz`)).status).toBe(200);
  });
});
