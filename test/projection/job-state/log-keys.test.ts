import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeSegments,
  encodeSegments,
  joinSegments,
  keyedSegment,
} from "../../../src/projection/job-state/log-keys.ts";

const sealedAt = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
const named = {
  sealedAt,
  session: fc.constantFrom("a", "4c1b", "exporter-ü"),
  sequence: fc.maxSafeNat(),
};
const place = fc.record({ shard: fc.nat(63), arrivedAt: sealedAt });
/** Items of their own, and those in packs. */
const name = fc.oneof(fc.record(named), fc.record({ ...named, pack: place }));
/** One segment that was delivered at several places. */
const copies = fc
  .array(fc.option(place, { nil: undefined }), { minLength: 1 })
  .map((places) =>
    places.map((pack) => keyedSegment({ sealedAt: 0, session: "a", sequence: 0, ...(pack && { pack }) })),
  );

describe("the log keys of a Job", () => {
  it("are given back as they were written", () => {
    fc.assert(
      fc.property(fc.array(name.map(keyedSegment)), (segments) => {
        const joined = joinSegments([], segments);
        expect(decodeSegments(encodeSegments(joined))).toEqual(joined);
      }),
    );
  });

  it("are a set: any order and any repeat gives the same bytes, and what is known changes nothing", () => {
    fc.assert(
      fc.property(fc.array(name.map(keyedSegment)), fc.array(name.map(keyedSegment)), (some, others) => {
        const joined = joinSegments(joinSegments([], some), others);
        expect(encodeSegments(joinSegments(joinSegments([], others), some))).toEqual(encodeSegments(joined));
        expect(joinSegments(joined, some)).toBe(joined);
      }),
    );
  });

  it("keep the first place of a segment that was delivered several times, in any order", () => {
    fc.assert(
      fc.property(copies, (delivered) => {
        const [kept, ...more] = joinSegments([], delivered);
        expect(more).toEqual([]);
        expect(joinSegments([], delivered.toReversed())).toEqual([kept]);
        const single = delivered.some((one) => one.name.pack === undefined);
        const first = Math.min(...delivered.map((one) => one.name.pack?.arrivedAt ?? Infinity));
        expect(kept?.name.pack?.arrivedAt).toBe(single ? undefined : first);
      }),
    );
  });

  it("of items of their own are encoded as earlier releases do, and take three bytes more in packs", () => {
    const names = Array.from({ length: 100 }, (_, sequence) => {
      return { sealedAt: 1_700_000_000_000 + sequence * 1_003, session: "4c1b6a9e00000000", sequence };
    });
    const single = encodeSegments(names.map(keyedSegment));
    const packed = encodeSegments(
      names.map((one) => keyedSegment({ ...one, pack: { shard: 3, arrivedAt: one.sealedAt + 400 } })),
    );
    expect(Buffer.from(packed).subarray(0, single.length)).toEqual(Buffer.from(single));
    expect(packed.length - single.length).toBe(300);
  });

  it("take few bytes: 200 segments of one exporter, a second apart, fit in 1 KB", () => {
    const segments = Array.from({ length: 200 }, (_, sequence) =>
      keyedSegment({ sealedAt: 1_700_000_000_000 + sequence * 1_003, session: "4c1b6a9e00000000", sequence }),
    );
    expect(encodeSegments(segments).length).toBeLessThan(1_000);
  });
});
