import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addIndex,
  countIndexes,
  cutIndexes,
  formatIndexSet,
  fromIntervals,
  hasIndex,
  intersectIndexes,
  type Interval,
  parseIndexSet,
  unionIndexes,
  withoutIndexes,
} from "../../../src/job/accounting/index-set.ts";
import { functionCases } from "../../support/story/conformance-case.ts";

const indexes = fc.array(fc.nat({ max: 60 }), { maxLength: 30 });
const setOf = (list: readonly number[]) => fromIntervals(list.map((index) => [index, index]));
const listed = (set: ReturnType<typeof setOf>) =>
  set.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
const distinct = (list: readonly number[]) => [...new Set(list)].sort((a, b) => a - b);

describe("the text of an index set", () => {
  it.each([
    ["", 10, ""],
    ["0-2", 10, "0-2"],
    ["0,1", 10, "0,1"],
    ["2,4,5,7-9", 10, "2,4,5,7-9"],
    ["0,1,2", 10, "0-2"],
    ["0-5,8-10", 10, "0-5,8,9"],
    ["0-5,8-10", 8, "0-5"],
    ["0-9", 0, ""],
    ["0,1-foo,bar,3", 4, "0,3"],
    ["5-3,7", 10, "7"],
    ["-2,3", 10, "3"],
    ["9,12,1", 10, "9"],
    ["4,1,2-3", 10, "1-4"],
    ["1e3,0x2, 4,5", 10, "5"],
    ["99999999999999999999,2", 10, "2"],
  ])("%j with %i completions is parsed as %j", (text, completions, expected) => {
    expect(formatIndexSet(parseIndexSet(text, completions))).toBe(expected);
  });

  it("is parsed as the set that was formatted", () => {
    fc.assert(
      fc.property(indexes, (list) => {
        expect(parseIndexSet(formatIndexSet(setOf(list)), 100)).toEqual(setOf(list));
      }),
    );
  });

  it("is parsed whatever it contains", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (text, completions) => {
        for (const [first, last] of parseIndexSet(text, completions)) {
          expect(first).toBeLessThanOrEqual(last);
          expect(last).toBeLessThan(completions);
        }
      }),
    );
  });
});

describe("an index set", () => {
  it("behaves like a set of numbers", () => {
    fc.assert(
      fc.property(indexes, indexes, fc.nat({ max: 60 }), (a, b, index) => {
        expect(listed(setOf(a))).toEqual(distinct(a));
        expect(countIndexes(setOf(a))).toBe(distinct(a).length);
        expect(hasIndex(setOf(a), index)).toBe(a.includes(index));
        expect(listed(addIndex(setOf(a), index))).toEqual(distinct([...a, index]));
        expect(listed(unionIndexes(setOf(a), setOf(b)))).toEqual(distinct([...a, ...b]));
        expect(listed(intersectIndexes(setOf(a), setOf(b)))).toEqual(distinct(a.filter((one) => b.includes(one))));
        expect(listed(withoutIndexes(setOf(a), setOf(b)))).toEqual(distinct(a.filter((one) => !b.includes(one))));
        expect(listed(cutIndexes(setOf(a), index))).toEqual(distinct(a.filter((one) => one < index)));
      }),
    );
  });
});

describe("an index set in upstream's test cases", () => {
  it.each(
    functionCases<{ readonly intervals: readonly Interval[]; readonly index: number }, { readonly has: boolean }>(
      "TestIntervalsHaveIndex",
    ),
  )("contains an index or not: %s", (_, { input, expected }) => {
    expect(hasIndex(fromIntervals(input.intervals), input.index)).toBe(expected.has);
  });
});
