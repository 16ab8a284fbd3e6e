import { describe, expect, it } from "vitest";
import { decodeWatchEvent, endsWatch, type WatchEvent } from "../../../src/kubernetes/watch/watch-event.ts";

function decode(text: string, { isFirst = true, isLast = true } = {}): WatchEvent | undefined {
  return decodeWatchEvent({ line: 1, bytes: Buffer.from(text), isFirst, isLast });
}

const line = (type: string, object: object) => JSON.stringify({ type, object });

describe("a line of a watch", () => {
  it.each(["ADDED", "MODIFIED", "DELETED"])("of type %s is a change", (type) => {
    const object = { metadata: { resourceVersion: "7" } };
    expect(decode(line(type, object))).toEqual({ kind: "change", type, object, resourceVersion: 7 });
  });

  it("is a change without a resourceVersion where the object has no valid one", () => {
    expect(decode(line("ADDED", { metadata: {} }))).toMatchObject({ kind: "change", resourceVersion: undefined });
  });

  it.each([
    [{}, false],
    [{ "k8s.io/initial-events-end": "true" }, true],
  ])("is a bookmark, which with annotations %j ends a list: %s", (annotations, endsList) => {
    const object = { metadata: { resourceVersion: "9", annotations } };
    expect(decode(line("BOOKMARK", object))).toEqual({ kind: "bookmark", resourceVersion: 9, endsList });
  });

  it("is the end of the watch with type ERROR", () => {
    const event = decode(line("ERROR", { code: 410, message: "too old" }));
    expect(event).toEqual({ kind: "error", code: 410, message: "too old" });
    expect(event !== undefined && endsWatch(event)).toBe(true);
  });

  it.each(["<html>", "{", '{"type":"ADDED"}', '{"type":"OTHER","object":{}}', "[]"])("is garbled: %s", (text) => {
    expect(decode(text)).toEqual({ kind: "garbled", text });
  });

  it("is described by its beginning where it is too large", () => {
    const head =
      '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"shop","resourceVersion":"3"';
    expect(decode(head, { isLast: false })).toEqual({
      kind: "oversized",
      object: "Pod shop/a of more than 8388608 bytes",
      resourceVersion: 3,
    });
  });

  it.each([
    ["an empty line", "", { isFirst: true, isLast: true }],
    ["a further piece of a line that is too large", "}}", { isFirst: false, isLast: true }],
  ])("is ignored as %s", (_, text, piece) => {
    expect(decode(text, piece)).toBeUndefined();
  });
});
