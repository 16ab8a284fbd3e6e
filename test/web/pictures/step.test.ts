import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { medianOf, stepIn } from "../../../web/pictures/step.ts";

describe("a step in counts", () => {
  it.each<readonly [string, readonly (number | undefined)[], object | undefined]>([
    ["is where they rise for good", [2, 1, 3, 2, 2, 9, 10, 8, 9], { index: 5, before: 2, after: 9 }],
    ["is where they fall for good", [20, 22, 19, 21, 4, 5, 3], { index: 4, before: 20.5, after: 4 }],
    [
      "does not count what is not known",
      [2, 1, undefined, 3, undefined, 2, 10, 12, 11],
      { index: 6, before: 2, after: 11 },
    ],
    ["begins with the first failures", [0, 0, 0, 0, 12, 14, 11], { index: 4, before: 0, after: 37 / 3 }],
    ["is not one bad day", [2, 1, 3, 60, 2, 2, 1, 3], undefined],
    ["is not two bad days at the end", [2, 1, 3, 2, 2, 30, 30], undefined],
    ["is not a small difference that chance explains", [1, 0, 1, 0, 2, 1, 2, 2], undefined],
    ["is not seen in constant counts", [5, 5, 5, 5, 5, 5, 5], undefined],
    ["needs three values on each side", [2, 2, 90, 90, 90], undefined],
    ["is not seen without values", [undefined, undefined], undefined],
  ])("%s", (_, values, expected) => {
    expect(stepIn(values, "count")).toEqual(expected);
  });

  it("is seen in fewer than one of a hundred series of random events with one rate", () => {
    const rate = fc.integer({ min: 1, max: 40 });
    const chance = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 31, maxLength: 31 });
    const drawn = fc.sample(fc.tuple(rate, chance), { numRuns: 1_000, seed: 7 });
    const found = drawn.filter(([mean, chances]) => stepIn(chances.map(poisson(mean)), "count") !== undefined);
    expect(found.length).toBeLessThan(10);
  });
});

/** The number of events to which a probability belongs, at this mean. */
function poisson(mean: number): (chance: number) => number {
  return (chance) => {
    let count = 0;
    let term = Math.exp(-mean);
    for (let sum = term; sum < Math.min(chance, 0.999_999); sum += term) {
      count += 1;
      term *= mean / count;
    }
    return count;
  };
}

describe("a step in levels", () => {
  it.each<readonly [string, readonly (number | undefined)[], object | undefined]>([
    [
      "is where every later value is higher",
      [240, 250, 245, 260, 500, 520, 510],
      { index: 4, before: 245, after: 510 },
    ],
    ["is not there if one later value is not", [240, 250, 245, 260, 500, 250, 510], undefined],
    ["is not a rise by less than a half", [240, 250, 245, 330, 340, 335], undefined],
    ["is where it falls", [60, 61, 60, 20, 20, 20], { index: 3, before: 60, after: 20 }],
  ])("%s", (_, values, expected) => {
    expect(stepIn(values, "level")).toEqual(expected);
  });

  it("does not depend on the unit", () => {
    const values = fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(values, (seconds) => {
        const millis = seconds.map((value) => value * 1_000);
        expect(stepIn(millis, "level")?.index).toBe(stepIn(seconds, "level")?.index);
      }),
    );
  });
});

describe("a median", () => {
  it.each([
    [[], undefined],
    [[3], 3],
    [[5, 1, 3], 3],
    [[4, 1, 3, 2], 2],
  ])("of %j is %s", (values, expected) => {
    expect(medianOf(values)).toBe(expected);
  });
});
