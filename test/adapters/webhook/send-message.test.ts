import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HttpMessage } from "../../../src/ports/message-sender.ts";
import { createHttpSender } from "../../../src/adapters/webhook/send-message.ts";
import { selfSignedCertificate } from "../../support/kubernetes/self-signed-certificate.ts";
import { ACCEPT, type HookServer, startHookServer } from "../../support/notify/hook-server.ts";

let server: HookServer;
beforeAll(async () => {
  server = await startHookServer();
});
afterEach(() => server.answerWith(ACCEPT));
afterAll(() => server.close());

const send = createHttpSender();

function message(said: Partial<HttpMessage> = {}): HttpMessage {
  return {
    kind: "http",
    url: server.url,
    headers: { "webhook-id": "k1" },
    body: '{"a":"ä"}',
    allowAddresses: [],
    ...said,
  };
}

describe("a message", () => {
  it("is accepted with any status from 200 to 299", async () => {
    expect(await send(message())).toEqual({ outcome: "accepted", status: 202 });
    expect(server.received.at(-1)).toMatchObject({ body: '{"a":"ä"}', headers: { "webhook-id": "k1" } });
  });

  it.each([301, 302, 307, 308])("is rejected by the redirect %d, which is not followed", async (status) => {
    const other = await startHookServer();
    server.answerWith((response) => response.writeHead(status, { location: other.url }).end());
    const problem = `status ${status}: redirects are not followed`;
    expect(await send(message())).toEqual({ outcome: "rejected", status, problem });
    expect(other.received).toEqual([]);
    await other.close();
  });

  it.each([400, 404, 500, 503])("is rejected by status %d", async (status) => {
    server.answerWith((response) => response.writeHead(status).end("no"));
    expect(await send(message())).toEqual({ outcome: "rejected", status, problem: `status ${status}` });
  });

  it.each([
    ["7", 7_000],
    ["999999", 3_600_000],
    ["soon", undefined],
  ])("is tried again when the receiver says so: Retry-After %s", async (after, retryAfterMillis) => {
    server.answerWith((response) => response.writeHead(429, { "retry-after": after }).end());
    const rejected = { outcome: "rejected", status: 429, problem: "status 429" };
    expect(await send(message())).toEqual(
      retryAfterMillis === undefined ? rejected : { ...rejected, retryAfterMillis },
    );
  });

  it("has the answer that accepts it, if it wants it", async () => {
    server.answerWith((response) => response.writeHead(200).end('{"partialSuccess":{}}'));
    const wanted = message({ readsAnswer: true });
    expect(await send(wanted)).toEqual({ outcome: "accepted", status: 200, answer: '{"partialSuccess":{}}' });
    expect(await send(message())).toEqual({ outcome: "accepted", status: 200 });
    server.answerWith((response) => response.writeHead(503).end("no"));
    expect(await send(wanted)).toEqual({ outcome: "rejected", status: 503, problem: "status 503" });
  });

  it.each([
    ["is too long", (response: ServerResponse) => response.end("x".repeat(70_000)), "the answer is longer than 64 KiB"],
    [
      "ends early",
      (response: ServerResponse) => response.write("x", () => response.destroy()),
      "the connection was reset",
    ],
  ])("that wants an answer fails if it %s", async (_, answer, problem) => {
    server.answerWith((response) => void answer(response.writeHead(200)));
    expect(await send(message({ readsAnswer: true }))).toEqual({ outcome: "unreachable", problem });
  });

  it("is accepted although the answer is too long, which is not read", async () => {
    let written = 0;
    server.answerWith((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(256 * 1_024);
      const more = (): void => {
        while (written < 10_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    expect(await send(message())).toEqual({ outcome: "accepted", status: 200 });
    expect(written).toBeLessThan(10_000_000);
  });

  it.each([
    [200, "accepted"],
    [503, "rejected"],
  ])("is settled by status %d, and the connection closed, before the body ends", async (status, outcome) => {
    const closed = Promise.withResolvers<void>();
    server.answerWith((response) => {
      response.on("close", closed.resolve);
      response.writeHead(status);
      response.write("The rest does not come.");
    });
    // This timeout would fail the test.
    expect(await createHttpSender({ timeoutMillis: 2 ** 31 - 1 })(message())).toMatchObject({ outcome, status });
    await closed.promise;
  });

  it("is unreachable if the answer does not come in time", async () => {
    server.answerWith(() => {});
    expect(await createHttpSender({ timeoutMillis: 50 })(message())).toEqual({
      outcome: "unreachable",
      problem: "no answer in time",
    });
  });

  it("is unreachable if the connection is reset or refused", async () => {
    server.answerWith((response) => response.socket?.resetAndDestroy());
    expect(await send(message())).toEqual({ outcome: "unreachable", problem: "the connection was reset" });
    const closed = await startHookServer();
    await closed.close();
    expect(await send(message({ url: closed.url }))).toEqual({ outcome: "unreachable", problem: "connection refused" });
  });

  it("is not sent to a server with a self-signed certificate", async () => {
    const tls = await startHookServer(selfSignedCertificate());
    expect(await send(message({ url: tls.url }))).toEqual({
      outcome: "unreachable",
      problem: "the certificate is self-signed",
    });
    expect(tls.received).toEqual([]);
    await tls.close();
  });
});

describe("a message to a metadata service", () => {
  const urls = [
    "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://2852039166/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://[::169.254.169.254]/",
    "http://[::FFFF:0:A9FE:A9FE]/",
    "http://0251.0376.169.254/",
    "http://169.16689662./",
  ];
  it.each(urls)("is refused: %s", async (url) => {
    const result = await send(message({ url }));
    expect(result).toMatchObject({ outcome: "unreachable" });
    expect(result.outcome === "unreachable" && result.problem).toContain("link-local or a metadata service");
  });

  it("is refused if a name resolves to one, and the other address is not used", async () => {
    const addresses = [
      { address: "127.0.0.1", family: 4 },
      { address: "169.254.169.254", family: 4 },
    ];
    const resolving = createHttpSender({ lookup: (_, done) => done(null, addresses) });
    const before = server.received.length;
    const result = await resolving(message({ url: server.url.replace("127.0.0.1", "rebind.example") }));
    expect(result.outcome === "unreachable" && result.problem).toContain("resolves to 169.254.169.254");
    expect(server.received.length).toBe(before);
  });

  it("goes to the address that was checked", async () => {
    const resolving = createHttpSender({ lookup: (_, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) });
    expect(await resolving(message({ url: server.url.replace("127.0.0.1", "hook.example") }))).toMatchObject({
      outcome: "accepted",
    });
  });

  it("is refused if it is of the same machine and the sender is a function, by name and by address", async () => {
    const onAws = createHttpSender({
      refusesLoopback: true,
      lookup: (_, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const before = server.received.length;
    for (const url of [server.url, server.url.replace("127.0.0.1", "hook.example")]) {
      const result = await onAws(message({ url }));
      expect(result.outcome === "unreachable" && result.problem).toContain("on AWS a loopback address");
    }
    expect(server.received.length).toBe(before);
    expect(await onAws(message({ url: server.url, allowAddresses: ["127.0.0.0/8"] }))).toMatchObject({
      outcome: "accepted",
    });
  });

  it("is sent if its address is allowed", async () => {
    const allowed = { url: "http://0.0.0.0:9/", allowAddresses: ["0.0.0.0/32"] };
    const result = await send(message(allowed));
    expect(result).toEqual({ outcome: "unreachable", problem: "connection refused" });
  });
});

describe("the problem of a message", () => {
  it("does not contain its address, which may be a secret", async () => {
    const failing = createHttpSender({
      lookup: (_, done) => done(Object.assign(new Error("x"), { code: "ENOTFOUND" }), []),
    });
    expect(await failing(message({ url: "https://hooks.slack.example/T0/secret" }))).toEqual({
      outcome: "unreachable",
      problem: "the host name does not exist",
    });
  });
});
