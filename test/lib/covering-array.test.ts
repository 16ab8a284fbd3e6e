import { describe, expect, it } from "vitest";
import { coveringArray } from "./covering-array.ts";

const DIMENSIONS = [
  ["a1", "a2", "a3"],
  ["b1", "b2"],
  ["c1", "c2", "c3"],
  ["d1", "d2"],
];

const excludes = (...pair: readonly string[]) => {
  return (values: readonly string[]) => !pair.every((value) => values.includes(value));
};

describe("a covering array", () => {
  it("has every pair of values of two dimensions, and every row has a value of each dimension", () => {
    const { rows, impossible } = coveringArray(DIMENSIONS, () => true);
    for (const row of rows) expect(row.map((value) => value[0])).toEqual(["a", "b", "c", "d"]);
    const values = DIMENSIONS.flat();
    const pairs = values.flatMap((one) =>
      values.filter((other) => other > one && other[0] !== one[0]).map((other) => [one, other]),
    );
    for (const pair of pairs) expect(rows.filter((row) => pair.every((value) => row.includes(value)))).not.toEqual([]);
    expect(impossible).toEqual([]);
  });

  it("needs fewer rows than there are combinations", () => {
    expect(coveringArray(DIMENSIONS, () => true).rows.length).toBeLessThanOrEqual(12);
  });

  it("names the pairs that no row can have, and no row has one", () => {
    const { rows, impossible } = coveringArray(DIMENSIONS, excludes("a1", "c2"));
    expect(impossible).toEqual([["a1", "c2"]]);
    expect(rows.filter((row) => row.includes("a1") && row.includes("c2"))).toEqual([]);
  });

  it("keeps rules about three values, and still has every pair", () => {
    const { rows, impossible } = coveringArray(DIMENSIONS, excludes("a1", "b1", "d1"));
    expect(impossible).toEqual([]);
    expect(rows.filter((row) => ["a1", "b1", "d1"].every((value) => row.includes(value)))).toEqual([]);
  });
});
