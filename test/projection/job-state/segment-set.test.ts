import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeyedSegment, keyedSegment } from "../../../src/projection/job-state/log-keys.ts";
import {
  addSegments,
  decodeSegmentSet,
  encodeSegmentSet,
  foundIn,
  latestSegmentAt,
  missingFrom,
  noSegments,
  type SegmentSet,
  segmentNames,
} from "../../../src/projection/job-state/segment-set.ts";
import { PageUnreadableError } from "../../../src/projection/pages/page-ref.ts";
import type { PageStore } from "../../../src/projection/pages/page-tree.ts";
import { collect } from "../../support/running/collect.ts";
import { throwAwayPages } from "../../../src/upkeep/replay/fresh-fold.ts";

const SESSION = "0123456789abcdef";
const NOON = Date.UTC(2026, 10, 21, 12);
const segment = (number: number): KeyedSegment =>
  keyedSegment({ sealedAt: NOON + number * 250, session: SESSION, sequence: number });
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

async function setOf(batches: readonly (readonly number[])[], pages: PageStore): Promise<SegmentSet> {
  let set = noSegments;
  for (const batch of batches) set = await addSegments(set, batch.map(segment), pages);
  return set;
}

const sequences = (found: readonly KeyedSegment[]) => found.map(({ name }) => name.sequence);

/** Fewer than the 512 that a state lists, and more. */
const SIZES = [[0], [1], [511], [512], [513], [1_200]] as const;
/** The order in which segments are added, some of them twice, and how many at once. */
const plan = (count: number) =>
  fc.tuple(
    fc.shuffledSubarray([...numbers(count)], { minLength: count }),
    fc.subarray([...numbers(count)]),
    fc.integer({ min: 40, max: 700 }),
  );

describe("the segments of a Job", () => {
  it.each(SIZES)("%i are the same set in any order, in any batches and with repeats", async (count) => {
    const once = encodeSegmentSet(await setOf([numbers(count)], throwAwayPages()));
    await fc.assert(
      fc.asyncProperty(plan(count), async ([order, again, size]) => {
        const all = [...order, ...again];
        const batches = numbers(Math.ceil(all.length / size)).map((batch) =>
          all.slice(batch * size, (batch + 1) * size),
        );
        const pages = throwAwayPages();
        const set = await setOf(batches, pages);
        expect(encodeSegmentSet(set)).toEqual(once);
        const read = decodeSegmentSet(encodeSegmentSet(set));
        expect((await collect(segmentNames(read, pages))).map(({ sequence }) => sequence)).toEqual(numbers(count));
      }),
      { numRuns: 5 },
    );
  });

  it.each(SIZES)("among %i are found, and the others are missing", async (count) => {
    const pages = throwAwayPages();
    const even = new Set(numbers(count).map((number) => number * 2));
    const set = await setOf([[...even]], pages);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(2 * count + 2), { maxLength: 20 }), async (wanted) => {
        const sorted = wanted.toSorted((a, b) => a - b);
        expect(sequences(await foundIn(set, wanted.map(segment), pages))).toEqual(
          sorted.filter((number) => even.has(number)),
        );
        expect(sequences(await missingFrom(set, wanted.map(segment), pages))).toEqual(
          sorted.filter((number) => !even.has(number)),
        );
      }),
      { numRuns: 10 },
    );
  });

  it.each(SIZES)("%i are the same object if nothing is added", async (count) => {
    const pages = throwAwayPages();
    const set = await setOf([numbers(count)], pages);
    expect(await addSegments(set, numbers(count).slice(0, 3).map(segment), pages)).toBe(set);
    expect(latestSegmentAt(set)).toBe(count === 0 ? Number.NEGATIVE_INFINITY : segment(count - 1).sortKey.at);
  });

  it("are not read in a format of another release", () => {
    expect(() => decodeSegmentSet(Uint8Array.of(2))).toThrow(PageUnreadableError);
  });
});
