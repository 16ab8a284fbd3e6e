import { describe, expect, it } from "vitest";
import { sealSegment } from "../../src/segment/seal-segment.ts";
import { segmentFormats } from "../../src/segment/segment-formats.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { Story } from "../support/story/story.ts";

function sealed(): Uint8Array {
  const story = new Story("report");
  story.jobCreated();
  const name = { cluster: clusterNamed("east"), sealedAt: Date.UTC(2026, 10, 21), session: "0123456789abcdef" };
  return sealSegment({ ...name, sequence: 0, facts: story.facts }).bytes;
}

describe("the formats of segments", () => {
  it("are their schemas, each once", () => {
    expect(segmentFormats([sealed(), sealed()])).toEqual({ segments: 2, schemas: [1], newer: [], damaged: 0 });
  });

  it("name why some are of a later release, once, and count the damaged ones", () => {
    const later = Buffer.alloc(20, 9);
    const flipped = sealed().map((byte, index) => (index === 3 ? byte ^ 1 : byte));
    const formats = segmentFormats([later, later, flipped]);
    expect(formats).toMatchObject({ segments: 0, schemas: [], damaged: 1 });
    expect(formats.newer).toEqual([expect.stringMatching(/Codec 9 is unknown/)]);
  });
});
