import { describe, expect, it } from "vitest";
import { axisText, bucketsOf, bucketText } from "../../../web/pictures/bucket.ts";

const at = (text: string) => Date.parse(`2026-11-${text}Z`);

describe("the hours of a range", () => {
  const range = { from: at("21T08:00:00"), to: at("21T12:00:00"), unit: "hour" } as const;

  it("are whole, and the one that contains now is not over", () => {
    const buckets = bucketsOf(range, at("21T10:20:00"));
    expect(buckets.map((bucket) => bucketText(bucket.at, "hour"))).toEqual([
      "21 Nov 08:00",
      "21 Nov 09:00",
      "21 Nov 10:00",
    ]);
    expect(buckets.map(({ isCurrent }) => isCurrent)).toEqual([false, false, true]);
  });

  it("that have not begun are left out", () => {
    expect(bucketsOf(range, at("21T07:00:00"))).toEqual([]);
    expect(bucketsOf(range, at("21T10:00:00"))).toHaveLength(2);
  });

  it("are all over in the past", () => {
    expect(bucketsOf(range, at("30T00:00:00")).map(({ isCurrent }) => isCurrent)).toEqual([false, false, false, false]);
  });
});

describe("the label of an axis", () => {
  it.each([
    ["the hour", "21T08:00:00", "hour", "08:00"],
    ["the day at midnight", "21T00:00:00", "hour", "21 Nov"],
    ["the day", "22T00:00:00", "day", "22 Nov"],
  ] as const)("is %s", (_, text, unit, expected) => {
    expect(axisText(at(text), unit)).toBe(expected);
  });
});
