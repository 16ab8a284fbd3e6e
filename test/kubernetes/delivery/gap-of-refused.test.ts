import { describe, expect, it } from "vitest";
import { gapOfRefused } from "../../../src/kubernetes/delivery/gap-of-refused.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { numberedFact } from "../../support/stores/sealed-segments.ts";

function sealed(facts: readonly Fact[]): Uint8Array {
  return sealSegment({ cluster: clusterNamed("east"), sealedAt: 0, session: "0123456789abcdef", sequence: 4, facts })
    .bytes;
}

describe("a segment that is refused permanently", () => {
  it("is a gap from its first to its last instant", () => {
    const facts = [
      { ...numberedFact(1), at: 5000 },
      { ...numberedFact(2), at: 9000 },
    ];
    expect(gapOfRefused(sealed(facts))).toMatchObject({
      kind: "GapRecorded",
      gapId: "refused-0123456789abcdef-4",
      from: 5000,
      to: 9000,
      resourceVersion: 2,
      reason: "The queue refused a segment of 2 facts.",
    });
  });

  it("is no gap if it contains only gaps, because that would never end", () => {
    const gap = gapOfRefused(sealed([numberedFact(1)]));
    expect(gap && gapOfRefused(sealed([gap]))).toBeUndefined();
  });

  it("is no gap if the bytes are not a segment", () => {
    expect(gapOfRefused(Buffer.from("other"))).toBeUndefined();
  });
});
