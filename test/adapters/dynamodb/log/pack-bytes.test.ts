import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePack, encodePack, PackUnreadableError } from "../../../../src/adapters/dynamodb/log/pack-bytes.ts";
import { decodeSegment } from "../../../../src/segment/decode-segment.ts";
import { eraseFacts } from "../../../../src/segment/erase-facts.ts";
import { numberedSegment } from "../../../support/stores/sealed-segments.ts";

const PLACE = { shard: 3, arrivedAt: Date.UTC(2026, 10, 21, 12) };
const ITEMS = [1, 2, 3].map(numberedSegment);

describe("the bytes of a pack", () => {
  it("give back its segments, with the place of the pack", () => {
    const decoded = decodePack(encodePack(ITEMS), PLACE);
    expect(decoded.map(({ key, sha256, factCount }) => ({ key, sha256, factCount }))).toEqual(
      ITEMS.map(({ key, sha256, factCount }) => ({ key: { ...key, pack: PLACE }, sha256, factCount })),
    );
    expect(decoded.map(({ bytes }) => Buffer.from(bytes))).toEqual(ITEMS.map(({ bytes }) => Buffer.from(bytes)));
  });

  it("give back the remains of an erasure under the hash of the original", () => {
    const [original, other] = [numberedSegment(1), numberedSegment(2)];
    const erased = eraseFacts(original.bytes, () => () => "0b7e-erasure");
    if (erased.outcome !== "erased") throw new Error("Nothing was erased.");
    const { bytes, factCount } = erased.sealed;
    const [remains, kept] = decodePack(encodePack([{ ...original, bytes, factCount }, other]), PLACE);
    expect(remains).toMatchObject({ sha256: original.sha256, factCount: 0 });
    expect(Buffer.from(remains?.bytes ?? [])).toEqual(Buffer.from(bytes));
    expect(kept?.sha256).toBe(other.sha256);
    const foreign = encodePack([{ ...other, bytes, factCount }]);
    expect(() => decodePack(foreign, PLACE)).toThrow(PackUnreadableError);
  });

  it("are rejected wherever they are cut", () => {
    const bytes = encodePack(ITEMS);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), (length) => {
        expect(() => decodePack(bytes.subarray(0, length), PLACE)).toThrow(PackUnreadableError);
      }),
    );
  });

  it("never give another content under the name of a segment, whichever byte is changed", () => {
    const bytes = encodePack(ITEMS);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Uint8Array.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ change;
        expect(readable(changed)).not.toContain("wrong");
      }),
      { numRuns: 300 },
    );
  });

  it("are not a segment", () => {
    expect(decodeSegment(encodePack(ITEMS))).toMatchObject({ outcome: "rejected" });
  });
});

/** What a reader of the segments finds in each: its own content, another one, or that it is damaged. */
function readable(bytes: Uint8Array): readonly string[] {
  try {
    return decodePack(bytes, PLACE).map((item) => {
      const decoded = decodeSegment(item.bytes);
      if (decoded.outcome === "rejected") return "damaged";
      return ITEMS.some(({ sha256 }) => sha256 === decoded.sha256) ? "own" : "wrong";
    });
  } catch (cause) {
    if (!(cause instanceof PackUnreadableError)) throw cause;
    return ["damaged"];
  }
}
