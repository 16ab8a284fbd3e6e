import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { foreignOrigin, readBody } from "../../src/http/read-body.ts";
import { ReaderLeftError } from "../../src/http/reader-left.ts";

const URL = "http://127.0.0.1:8080/";
const JSON_TYPE = { "content-type": "application/json" };
const SCHEMA = v.strictObject({ note: v.string("must be text") });

function read(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Readonly<Record<string, string>> = JSON_TYPE,
) {
  // A stream needs it, and the type of a request lacks it.
  const half: object = { duplex: "half" };
  return readBody(new Request(URL, { method: "PUT", body, headers, ...half }), SCHEMA);
}

/** A body of unknown length. Reports how many chunks were asked for. */
function chunked(chunks: number) {
  let sent = 0;
  const stream = new ReadableStream({
    pull(controller) {
      if (sent === chunks) return controller.close();
      sent += 1;
      controller.enqueue(new Uint8Array(1_024).fill(32));
    },
  });
  return { stream, sent: () => sent };
}

describe("the body of a request", () => {
  it.each([["application/json"], ["Application/JSON; charset=utf-8"]])("is read with content type %s", async (type) => {
    const headers = { "content-type": type };
    expect(await read('{"note":"ü"}', headers)).toEqual({ outcome: "read", value: { note: "ü" } });
  });

  it.each([
    ["of another type", "{}", { "content-type": "text/plain" }, 415],
    ["of a form", "{}", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["without a type", new Uint8Array(2), {}, 415],
    ["of a longer type", "{}", { "content-type": "application/json5" }, 415],
    ["that is cut off", '{"note":', JSON_TYPE, 400],
    ["that is empty", "", JSON_TYPE, 400],
    ["that is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), JSON_TYPE, 400],
    ["with an unknown field", '{"note":"a","__proto__":{"by":"me"}}', JSON_TYPE, 400],
    ["without a field", "{}", JSON_TYPE, 400],
    ["that is no object", "null", JSON_TYPE, 400],
    ["of more than 4,096 bytes", `{"note":"${"a".repeat(4_100)}"}`, JSON_TYPE, 413],
  ])("%s is refused", async (_, body, headers, status) => {
    expect(await read(body, headers)).toMatchObject({ outcome: "refused", problem: { status } });
  });

  it("is not read to its end if it is too long", async () => {
    const { stream, sent } = chunked(100);
    expect(await read(stream)).toMatchObject({ problem: { status: 413 } });
    expect(sent()).toBeLessThan(10);
  });

  it("is refused by the length that its header has, unread", async () => {
    const { stream, sent } = chunked(100);
    const headers = { ...JSON_TYPE, "content-length": "4097" };
    expect(await read(stream, headers)).toMatchObject({ problem: { status: 413 } });
    expect(sent()).toBeLessThan(2);
  });

  it("of a client that leaves is no error of the server", async () => {
    const stream = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
    await expect(read(stream)).rejects.toThrow(ReaderLeftError);
  });

  it("is refused with the place of each error", async () => {
    expect(await read('{"note":7}')).toMatchObject({
      problem: { detail: 'Field "note" (body) must be text.', errors: [{ in: "body", name: "note" }] },
    });
  });
});

describe("a request that changes something", () => {
  const host = "outlive.example";

  it.each([
    ["of a program", {}],
    ["of the server's page", { origin: `https://${host}` }],
    ["of its page without TLS", { origin: `http://${host}` }],
    [
      "of its page behind a proxy that renames the host",
      { origin: "https://jobs.example", "sec-fetch-site": "same-origin" },
    ],
  ])("%s is accepted", (_, headers) => {
    expect(foreignOrigin(new Headers({ host, ...headers }))).toBeUndefined();
  });

  it.each([
    ["of another host", { origin: "https://evil.example" }],
    ["of another port", { origin: `https://${host}:8443` }],
    ["of a host with this name in it", { origin: `https://${host}.evil.example` }],
    ["of a sandboxed page", { origin: "null" }],
    ["of a page of another site", { "sec-fetch-site": "cross-site" }],
    ["of a neighbour's page that claims this origin", { origin: `https://${host}`, "sec-fetch-site": "same-site" }],
    ["with an unknown relation", { "sec-fetch-site": "other" }],
  ])("%s is refused", (_, headers) => {
    expect(foreignOrigin(new Headers({ host, ...headers }))).toMatchObject({ status: 403 });
  });
});
