import { describe, expect, it } from "vitest";
import { bucketsOf } from "../../../web/pictures/bucket.ts";
import { countStepText, lastComparable, levelStepText, usualLevel } from "../../../web/pictures/captions.ts";
import type { Coverage } from "../../../web/pictures/coverage.ts";

const DAY = 86_400_000;
const FROM = Date.parse("2026-11-17T00:00:00Z");

/** So many days, of which the last is not over. */
function days(count: number, coverage: Coverage = { kind: "observed" }) {
  const range = { from: FROM, to: FROM + count * DAY, unit: "day" } as const;
  const buckets = bucketsOf(range, FROM + (count - 0.5) * DAY).map((bucket) => ({ ...bucket, coverage }));
  return { unit: "day", buckets } as const;
}

describe("a sentence about counts", () => {
  it.each([
    [
      "says since when there are more",
      [2, 1, 3, 2, 12, 13, 11, 1],
      " Failures have risen from 2 to 12 a day since 21 Nov.",
    ],
    [
      "says since when there are fewer",
      [9, 10, 8, 9, 1, 0, 0, 9],
      " Failures have fallen from 9 to 0.3 a day since 21 Nov.",
    ],
    ["does not count the day that is not over", [2, 1, 3, 2, 2, 1, 2, 90], ""],
    ["is empty without a change", [2, 2, 2, 2, 2, 2, 2, 2], ""],
  ])("%s", (_, values, expected) => {
    expect(countStepText(days(8), "Failures have", values)).toBe(expected);
  });

  it("says nothing about times that were not observed", () => {
    const unobserved = days(8, { kind: "unobserved", cause: "gap" });
    expect(countStepText(unobserved, "Failures have", [2, 1, 3, 2, 12, 13, 11, 1])).toBe("");
  });
});

describe("a sentence about durations", () => {
  it("has its levels as durations", () => {
    expect(levelStepText(days(7), "The median has", [240, 250, 245, 600, 605, 640, 1])).toBe(
      " The median has risen from 4m5s to 10m since 20 Nov.",
    );
    expect(levelStepText(days(7), "The median has", [240, 250, 245, 240, 250, 245, 600])).toBe("");
  });
});

describe("the level to compare with", () => {
  it("is the median of the days before the last one that is over", () => {
    expect(usualLevel(days(6), [10, 30, 20, 40, 900, 1], "seconds")).toEqual({
      name: "median of the days before: 20s",
      from: 20,
      to: 20,
    });
  });

  it("needs three days", () => {
    expect(usualLevel(days(4), [10, 30, 20, 1], "seconds")).toBeUndefined();
    expect(usualLevel(days(5), [10, undefined, 20, 30, 1], "seconds")).toBeUndefined();
  });
});

describe("the last day that can be compared", () => {
  it("is over and has a value", () => {
    expect(lastComparable(days(4), [1, 2, undefined, 4])).toBe(1);
    expect(lastComparable(days(2), [undefined, 2])).toBeUndefined();
  });
});
