import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf, replaced } from "../../../../src/count/metrics/sums/amount-difference.ts";
import { AmountSums } from "../../../../src/count/metrics/sums/amount-sums.ts";
import type { Amount } from "../../../../src/ports/metric-store.ts";

const one = (family: number, amount = 1, kind: "counter" | "latest" = "counter"): Amount => ({
  series: { family, kind, labels: { cluster: "east" } },
  part: 0,
  amount,
});
const numbers = (sums: AmountSums) => sums.changed().map(({ series, parts }) => [series.family, parts.get(0)]);

describe("a contribution", () => {
  it("replaces all that the subject contributed before, except in the families that it keeps", () => {
    const before = [one(2), one(4, 5), one(7)];
    expect(replaced(before, { amounts: [one(3)] })).toEqual([one(3)]);
    expect(replaced(before, { amounts: [one(3), one(7, 2)], keep: [4, 7] })).toEqual([one(4, 5), one(3), one(7, 2)]);
  });

  it("has one amount of each number, because label sets beyond the bound share their series", () => {
    expect(replaced([], { amounts: [one(2, 1), one(2, 3)] })).toEqual([one(2, 4)]);
  });
});

describe("the difference of two contributions", () => {
  it("is what was added less what is gone, and of instants the latest", () => {
    expect(numbers(differenceOf([one(2), one(4, 5), one(9, 20, "latest")], [one(3), one(4, 7)]))).toEqual([
      [2, -1],
      [3, 1],
      [4, 2],
    ]);
    expect(numbers(differenceOf([one(9, 20, "latest")], [one(9, 30, "latest")]))).toEqual([[9, 30]]);
  });

  const amounts = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 })))
    .map((list) => list.map(([family, amount]) => one(family, amount)));

  it("leads from the sums of one to those of the other, and there is none between equal ones", () => {
    fc.assert(
      fc.property(amounts, amounts, (before, after) => {
        const sums = new AmountSums();
        for (const amount of before) sums.add(amount);
        differenceOf(before, after, sums);
        const expected = new AmountSums();
        for (const amount of after) expected.add(amount);
        expect(numbers(sums)).toEqual(numbers(expected));
        expect(differenceOf(before, before).changed()).toEqual([]);
      }),
    );
  });
});
