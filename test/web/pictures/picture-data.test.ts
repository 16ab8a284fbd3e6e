import type { CoveredBucket } from "../../../web/pictures/coverage.ts";
import { describe, expect, it } from "vitest";
import { comparable, markText, mostIn, observedCounts, valueText } from "../../../web/pictures/picture-data.ts";

function bucket(kind: "observed" | "gap" | "current"): CoveredBucket {
  const coverage = kind === "gap" ? ({ kind: "unobserved", cause: "gap" } as const) : ({ kind: "observed" } as const);
  return { at: 0, end: 1, isCurrent: kind === "current", coverage };
}

const BUCKETS = [bucket("observed"), bucket("gap"), bucket("gap"), bucket("current")];

describe("the counts of a picture", () => {
  it("are 0 where nothing happened, and unknown where nothing was observed", () => {
    expect(observedCounts([bucket("observed"), bucket("gap")], () => undefined)).toEqual([0, undefined]);
  });

  it("are shown where later data has told of a gap", () => {
    expect(observedCounts([bucket("gap")], () => 3)).toEqual([3]);
  });

  it("are compared only where all of the time was observed and is over", () => {
    expect(comparable(BUCKETS, [1, 2, undefined, 4])).toEqual([1, undefined, undefined, undefined]);
  });
});

describe("the height of a picture", () => {
  const series = [
    { look: "kept", name: "kept", values: [1, 2, undefined, 3] },
    { look: "failed", name: "failed", values: [4, 1, 1, undefined] },
  ] as const;
  const data = { measure: "count", unit: "day", buckets: BUCKETS, series } as const;

  it("is that of the largest bar, or of the largest value of a line or a band", () => {
    expect(mostIn({ ...data, form: "bars" })).toBe(5);
    expect(mostIn({ ...data, form: "lines" })).toBe(4);
    expect(mostIn({ ...data, form: "lines", reference: { name: "usual", from: 1, to: 9 } })).toBe(9);
  });
});

describe("the text of a value", () => {
  it.each([
    [1_234, "count", "1,234"],
    [0, "seconds", "0"],
    [90, "seconds", "90s"],
    [0.074_9, "share", "7.49 %"],
    [1, "share", "100 %"],
  ] as const)("%d (%s) is %s", (value, measure, expected) => {
    expect(valueText(value, measure)).toBe(expected);
  });

  it("has whole hours on an axis", () => {
    expect([3_600, 7_200, 1_800, 172_800].map((seconds) => markText(seconds, "seconds"))).toEqual([
      "1h",
      "2h",
      "30m",
      "2d",
    ]);
  });
});
