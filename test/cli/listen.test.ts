import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Listening, listen } from "../../src/server/listen.ts";
import { apiWith } from "../support/http/request-api.ts";
import { listedJob } from "../support/story/listed-job.ts";

let server: Listening;
let port: number;

beforeAll(async () => {
  const { app } = await apiWith([listedJob()], { kind: "loopback" });
  server = await listen(app, { host: "127.0.0.1", port: 0 });
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());

/** What the server says to these very bytes, until it closes the connection. */
function say(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    let heard = "";
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    socket.on("end", () => resolve(heard));
    socket.on("error", reject);
  });
}

const request = (line: string, ...headers: readonly string[]): string =>
  `${[line, "host: localhost", "connection: close", ...headers].join("\r\n")}\r\n\r\n`;

describe("a server on a socket", () => {
  it("answers a question", async () => {
    expect(await say(request("GET /v1/jobs HTTP/1.1"))).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it.each([
    ["bytes that are no HTTP", "\u0000\u0001\u0002\r\n\r\n", 400],
    ["a header that never ends", request("GET /v1/jobs HTTP/1.1", `x: ${"a".repeat(20_000)}`), 431],
    ["a URL that never ends", request(`GET /v1/jobs?name=${"a".repeat(20_000)} HTTP/1.1`), 431],
    ["a method the web forbids", request("TRACE /v1/jobs HTTP/1.1"), 405],
    ["a method of its own", request("BREW /v1/jobs HTTP/1.1"), 400],
    ["a body with a question", `${request("GET /v1/jobs HTTP/1.1", "content-length: 5")}12345`, 400],
    ["a body it was not sent", request("POST /v1/jobs HTTP/1.1", "content-length: 500"), 405],
    ["a name that is not local", request("GET /v1/jobs HTTP/1.1").replace("localhost", "evil.example.org"), 403],
    ["a URL that is none", request("GET //[/v1 HTTP/1.1"), 404],
    ["no Host at all", "GET /v1/jobs HTTP/1.0\r\n\r\n", 403],
    ["a Host that is none", request("GET /v1/jobs HTTP/1.1").replace("localhost", "loc alhost:99999"), 400],
    ["all of the server", request("OPTIONS * HTTP/1.1"), 400],
    ["a tunnel", request("CONNECT example.org:443 HTTP/1.1"), 405],
    ["half a percent sign", request("GET /v1/clusters/%E0%A4%A/namespaces/a/jobs/b HTTP/1.1"), 400],
  ])("answers %s with a problem", async (_, bytes, status) => {
    const answer = await say(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
  });

  it.each([
    ["that speaks HTTP/1.0 and names no Host", "GET /v1/healthz HTTP/1.0\r\n\r\n"],
    ["that expects what nobody knows", request("GET /v1/healthz HTTP/1.1", "expect: banana")],
  ])("answers a health probe %s", async (_, bytes) => {
    expect(await say(bytes)).toMatch(/^HTTP\/1.1 200 OK/);
  });

  it("answers 1,000 connections at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => say(request("GET /v1/jobs?limit=1 HTTP/1.1"))),
    );
    expect(answers.filter((answer) => !answer.startsWith("HTTP/1.1 200 OK"))).toEqual([]);
  });

  it("still answers after all of this", async () => {
    expect((await fetch(`${server.url}/v1/readyz`)).status).toBe(200);
  });

  it("says that its port is taken to whoever wants it too", async () => {
    const { app } = await apiWith([]);
    await expect(listen(app, { host: "127.0.0.1", port })).rejects.toThrow(/in use.*--listen/);
  });

  it("ends a question that runs before it stops", async () => {
    const { app } = await apiWith([listedJob()]);
    const other = await listen(app, { host: "127.0.0.1", port: 0 });
    const answer = fetch(`${other.url}/v1/jobs`);
    expect((await answer).status).toBe(200);
    await other.close();
    await expect(fetch(`${other.url}/v1/jobs`)).rejects.toThrow(/fetch failed/);
  });
});
