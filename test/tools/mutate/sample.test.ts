import { describe, expect, it } from "vitest";
import { sampleOf } from "../../../tools/mutate/sample.ts";

const items = Array.from({ length: 100 }, (_, number) => number);

describe("a sample", () => {
  it("is the same for the same seed, and another for another seed", () => {
    expect(sampleOf(items, 10, 1)).toEqual(sampleOf(items, 10, 1));
    expect(sampleOf(items, 10, 2)).not.toEqual(sampleOf(items, 10, 1));
  });

  it("has each item once", () => {
    expect([...sampleOf(items, 100, 3)].sort((a, b) => a - b)).toEqual(items);
  });

  it("begins with the items of a smaller one, so that results of both can be compared", () => {
    expect(sampleOf(items, 40, 1).slice(0, 10)).toEqual(sampleOf(items, 10, 1));
  });

  it("has all items where there are fewer", () => {
    expect(new Set(sampleOf([1, 2], 40, 1))).toEqual(new Set([1, 2]));
  });
});
