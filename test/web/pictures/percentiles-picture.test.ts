import { describe, expect, it } from "vitest";
import { bucketsOf } from "../../../web/pictures/bucket.ts";
import { percentilesOf } from "../../../web/pictures/percentiles-picture.ts";

const DAY = 86_400_000;
const FROM = Date.parse("2026-11-17T00:00:00Z");
/** Eight days, of which the last is not over. */
const buckets = bucketsOf({ from: FROM, to: FROM + 8 * DAY, unit: "day" }, FROM + 7.5 * DAY).map((bucket) => ({
  ...bucket,
  coverage: { kind: "observed" } as const,
}));

function pictured(medians: readonly (number | undefined)[]) {
  return percentilesOf(
    { unit: "day", buckets },
    {
      of: ({ at }) => {
        const p50 = medians[(at - FROM) / DAY];
        return p50 === undefined ? undefined : { p50, p90: p50 * 2 };
      },
      did: "took",
      none: "Nothing is known.",
    },
  );
}

describe("a picture of percentiles", () => {
  it("describes the last day that is over, and since when the median is another", () => {
    const { caption, data } = pictured([60, 61, 62, 60, 120, 130, 125, 5]);
    expect(caption).toBe(
      "On 23 Nov, half of the Jobs took at most 2m5s, nine in ten at most 4m10s. The median has risen from 60s " +
        "to 2m5s since 21 Nov.",
    );
    expect(data.series.map(({ values }) => values[0])).toEqual([60, 120]);
    expect(data.reference?.from).toBe(61);
  });

  it("describes the current day if no other has a value", () => {
    const only = [undefined, undefined, undefined, undefined, undefined, undefined, undefined, 5];
    expect(pictured(only).caption).toBe("On 24 Nov, half of the Jobs took at most 5s, nine in ten at most 10s.");
    expect(pictured([]).caption).toBe("Nothing is known.");
  });
});
