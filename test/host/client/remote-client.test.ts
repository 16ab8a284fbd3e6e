import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { remoteClient } from "../../../src/host/client/remote-client.ts";
import { runOutlive, scratchFolder } from "../../support/running/run-outlive.ts";

/** What a server that is no Outlive, or was one long ago, answers, by the namespace that is asked for. */
const ANSWERS: Readonly<Record<string, readonly [status: number, headers: Record<string, string>, body: string]>> = {
  "": [200, { "content-type": "application/json" }, '{"items":[]}'],
  elsewhere: [302, { location: "http://login.example.test/" }, ""],
  shapeless: [200, { "content-type": "application/json" }, '{"items":"none"}'],
  strange: [
    401,
    { "content-type": "application/problem+json" },
    '{"type":"x","title":"x","status":401,"detail":"Send a \\u001b[31mtoken."}',
  ],
};

/** How often the server has refused a request because it is busy. */
let refused = 0;

/** A throttled stage: the third request of a namespace is answered. */
function throttled(namespace: string): (typeof ANSWERS)[string] | undefined {
  if (namespace !== "throttled") return undefined;
  refused += 1;
  if (refused <= 2) return [429, { "retry-after": "0" }, '{"message":"Too Many Requests"}'];
  return [200, { "content-type": "application/json" }, '{"items":[]}'];
}

const scratch = scratchFolder();
let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    const namespace = new URL(request.url ?? "", "http://localhost").searchParams.get("namespace") ?? "";
    if (request.url === "/stage/v1/changes" && request.headers.accept === "text/event-stream") {
      response.writeHead(406, { "content-type": "application/problem+json" }).end("{}");
      return;
    }
    const [status, headers, body] = throttled(namespace) ?? ANSWERS[namespace] ?? [404, {}, "<html>"];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await scratch.remove();
});

describe("a remote server", () => {
  it("can stream, unless it refuses a stream with 406", async () => {
    expect(await remoteClient(url, {}).canStream?.()).toBe(true);
    expect(await remoteClient(`${url}/stage`, {}).canStream?.()).toBe(false);
  });
});

const jobs = (namespace: string, at: string) =>
  runOutlive(["jobs", "-n", namespace, "--server", at], { cwd: scratch.path });

describe("a server that is busy", () => {
  it("is asked again, a few times", async () => {
    expect(await jobs("throttled", url)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('No Job was observed in namespace "throttled".') as unknown,
    });
    expect(refused).toBe(3);
  });
});

describe("a server that is silent", () => {
  it("is given up after the time that the caller allows", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const client = remoteClient(`http://127.0.0.1:${port}`, {}, { timeoutMillis: 50 });
    const giveUp = expect(client.request("/v1/jobs")).rejects;
    await giveUp.toThrow(/Cannot reach the server at http:\/\/127\.0\.0\.1:\d+\/: The operation was aborted due to/);
    silent.closeAllConnections();
    silent.close();
  });
});

describe("a server that is not an Outlive", () => {
  it.each([
    ["redirects", "elsewhere", /redirects to http:\/\/login\.example\.test\/, which an Outlive server never does/],
    [
      "answers no list",
      "shapeless",
      /did not answer with a list\. Check that an Outlive server of this version runs there/,
    ],
    ["asks for a token", "strange", /token\. Set it with --token or OUTLIVE_TOKEN/],
    ["answers no JSON", "other", /did not answer with JSON\. Check that an Outlive server runs there/],
  ])("is named in the error if it %s", async (_, namespace, sentence) => {
    const { status, stderr } = await jobs(namespace, url);
    expect(status).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain("\u001b");
  });

  it("is refused before any request if its URL is not HTTP", async () => {
    expect(await jobs("any", "ftp://example.test")).toMatchObject({
      status: 2,
      stderr: 'error: "ftp://example.test" is not the URL of a server. Write http://HOST:PORT.\n',
    });
  });
});
