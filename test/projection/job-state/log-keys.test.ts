import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeSegments,
  encodeSegments,
  joinSegments,
  keyedSegment,
} from "../../../src/projection/job-state/log-keys.ts";

const name = fc.record({
  sealedAt: fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
  session: fc.constantFrom("a", "4c1b", "exporter-ü"),
  sequence: fc.maxSafeNat(),
});

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

  it("take few bytes: 200 segments of one exporter, a second apart, fit in 1 KB", () => {
    const segments = Array.from({ length: 200 }, (_, sequence) =>
      keyedSegment({ sealedAt: 1_700_000_000_000 + sequence * 1_003, session: "4c1b6a9e00000000", sequence }),
    );
    expect(encodeSegments(segments).length).toBeLessThan(1_000);
  });
});
