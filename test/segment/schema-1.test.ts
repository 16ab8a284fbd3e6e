import { describe, expect, it } from "vitest";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { decodeFacts } from "../../src/segment/fact-list.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import fixture from "./schema-1.fixture.json" with { type: "json" };

// The fixture was written once, by the first build that wrote schema 1, and holds facts of every kind. It never changes: logs like it are out there.
describe("what the first build wrote", () => {
  it.each(["brotli", "deflate"] as const)("is read for ever: a segment under %s", (codec) => {
    expect(decodeSegment(Buffer.from(fixture[codec], "base64"))).toEqual({
      outcome: "decoded",
      segment: fixture.segment,
      sha256: fixture.sha256,
    });
  });

  it("is read for ever: a list of facts", () => {
    expect(decodeFacts(Buffer.from(fixture.facts, "base64"))).toEqual({
      outcome: "decoded",
      facts: fixture.segment.facts,
    });
  });

  it("is written the same today: facts without details of messages stay readable for earlier builds", () => {
    const decoded = decodeSegment(Buffer.from(fixture.deflate, "base64"));
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    const sealed = sealSegment({ ...decoded.segment, cluster: clusterNamed("east") });
    expect(sealed.sha256).toBe(fixture.sha256);
  });
});
