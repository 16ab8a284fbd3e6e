import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addBags, bagOf, indexesOf } from "../../../src/job/accounting/index-bag.ts";
import { fromIntervals } from "../../../src/job/accounting/index-set.ts";

const indexes = fc.array(fc.nat({ max: 40 }), { maxLength: 40 });

describe("a bag of indexes", () => {
  it("contains the number of occurrences of each index as runs", () => {
    expect(bagOf([3, 1, 2, 2, 9])).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 1],
      [9, 9, 1],
    ]);
    expect(bagOf([4, 3, 5])).toEqual([[3, 5, 1]]);
  });

  it("has the same sum in any order", () => {
    fc.assert(
      fc.property(indexes, indexes, (a, b) => {
        expect(addBags(bagOf(a), bagOf(b))).toEqual(bagOf([...b, ...a]));
      }),
    );
  });

  it("is the same after an addition and a subtraction", () => {
    fc.assert(
      fc.property(indexes, indexes, (a, b) => {
        expect(addBags(bagOf([...a, ...b]), bagOf(b), -1)).toEqual(bagOf(a));
      }),
    );
  });

  it("contains an index as long as one occurrence is left", () => {
    const twice = bagOf([7, 7]);
    expect(indexesOf(addBags(twice, bagOf([7]), -1))).toEqual(fromIntervals([[7, 7]]));
    expect(indexesOf(addBags(twice, twice, -1))).toEqual([]);
  });
});
