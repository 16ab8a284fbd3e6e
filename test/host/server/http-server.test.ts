import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

  it("still answers after all these requests", async () => {
    expect((await fetch(`${server.url}/v1/readyz`)).status).toBe(200);
  });
});
