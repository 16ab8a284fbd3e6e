import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSegmentFile, encodeSegmentFile } from "../../../src/archive/layout/segment-file.ts";

const segments = fc.array(
  fc.record(
    { bytes: fc.uint8Array({ maxLength: 50 }), lateAt: fc.integer({ min: 1, max: 4_000_000_000_000 }) },
    { requiredKeys: ["bytes"] },
  ),
  { maxLength: 5 },
);

describe("a segment file", () => {
  it("gives back its segments and their arrivals", () => {
    fc.assert(
      fc.property(segments, (all) => {
        const decoded = decodeSegmentFile(encodeSegmentFile(all));
        const plain = all.map(({ bytes, ...rest }) => ({ bytes: Buffer.from(bytes), ...rest }));
        expect(decoded).toEqual({ outcome: "decoded", segments: plain });
      }),
    );
  });

  it("is rejected where it ends within a segment", () => {
    const whole = encodeSegmentFile([{ bytes: Buffer.from("abc") }]);
    for (let length = 9; length < whole.length; length += 1) {
      const reason = "It is truncated after 8 bytes.";
      expect(decodeSegmentFile(whole.subarray(0, length))).toEqual({ outcome: "rejected", reason });
    }
  });

  it("is rejected if it is another file", () => {
    const reason = "It is not a file of segments: it begins with other bytes.";
    expect(decodeSegmentFile(Buffer.from("PAR1PAR1"))).toEqual({ outcome: "rejected", reason });
  });
});
