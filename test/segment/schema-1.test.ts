import { describe, expect, it } from "vitest";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { decodeFacts } from "../../src/segment/fact-list.ts";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { clusterNamed } from "../support/facts/names.ts";
import fixture from "./schema-1.fixture.json" with { type: "json" };

// The first build with schema 1 wrote the fixture, which contains facts of every kind. It never changes, because logs
// contain such segments.
describe("bytes that the first build wrote", () => {
  it.each(["brotli", "deflate"] as const)("are still decoded: a segment compressed with %s", (codec) => {
    expect(decodeSegment(Buffer.from(fixture[codec], "base64"))).toEqual({
      outcome: "decoded",
      segment: fixture.segment,
      sha256: fixture.sha256,
    });
  });

  it("are still decoded: a list of facts", () => {
    expect(decodeFacts(Buffer.from(fixture.facts, "base64"))).toEqual({
      outcome: "decoded",
      facts: fixture.segment.facts,
    });
  });

  it("are the same as today for facts without message details, so that earlier builds can read them", () => {
    const decoded = decodeSegment(Buffer.from(fixture.deflate, "base64"));
    if (decoded.outcome === "rejected") throw new Error(decoded.reason);
    const sealed = sealSegment({ ...decoded.segment, cluster: clusterNamed("east") });
    expect(sealed.sha256).toBe(fixture.sha256);
  });
});
