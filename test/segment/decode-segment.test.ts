import { describe, expect, it } from "vitest";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { wrap } from "../../src/segment/envelope.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { numberedFact } from "../support/stores/sealed-segments.ts";

const NAME = { cluster: clusterNamed("east"), sealedAt: 5, session: "0123456789abcdef", sequence: 7 };
const EMPTY = [[], "", []];
const HEAD = ["east", "", 5, "0123456789abcdef", 7];

describe("a decoded segment", () => {
  it.each([{}, { kubeSystemUid: "uid-1" }])("has the name and the facts that were sealed: %j", (more) => {
    const sealed = sealSegment({ ...NAME, ...more, facts: [numberedFact(2), numberedFact(1)] });
    expect(decodeSegment(sealed.bytes)).toEqual({
      outcome: "decoded",
      segment: { ...NAME, ...more, schemaVersion: 1, facts: [numberedFact(1), numberedFact(2)] },
      sha256: sealed.sha256,
    });
    expect(sealed.factCount).toBe(2);
  });

  it.each<[string, unknown, string]>([
    ["no head", null, "The segment has no head."],
    ["a record as its head", {}, "The segment has no head."],
    ["no cluster", [null, ...HEAD.slice(1)], "The segment names no cluster."],
    ["an empty name of its cluster", ["", ...HEAD.slice(1)], "The segment names no cluster."],
    ["a uid that is no text", HEAD.with(1, 3), "The segment's head has an invalid field."],
    ["no time of sealing", HEAD.with(2, ""), "The segment's head has an invalid field."],
    ["a time before 1970", HEAD.with(2, -1), "The segment's head has an invalid field."],
    ["a session of capitals", HEAD.with(3, "0123456789ABCDEF"), "The segment's head has an invalid field."],
    ["a sequence below 0", HEAD.with(4, -1), "The segment's head has an invalid field."],
    ["a head that ends too early", HEAD.slice(0, 4), "The segment's head has an invalid field."],
  ])("is damaged with %s", (_, head, reason) => {
    expect(decodeSegment(wrap(JSON.stringify([1, head, EMPTY])).bytes)).toEqual({
      outcome: "rejected",
      problem: "damaged",
      reason,
    });
  });
});
