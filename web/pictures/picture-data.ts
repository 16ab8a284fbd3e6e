import { number } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";
import type { Measure } from "./axis-scale.ts";
import type { Unit } from "./bucket.ts";
import type { CoveredBucket } from "./coverage.ts";

/** How a series is drawn: a colour with a pattern for parts of a bar, or a line. The styles are in pictures.css. */
export type Look =
  | "failed"
  | "interrupted"
  | "duplicate"
  | "idle"
  | "kept"
  | "startUp"
  | "cancelled"
  | "unknown"
  | "middle"
  | "high";

/** One value for each bucket; `undefined` where there is none. */
export interface Series {
  readonly look: Look;
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

/** What a picture draws. Its table has the same values. */
export interface PictureData {
  /** Bars are stacked in the order of the series, from below. */
  readonly form: "bars" | "lines";
  readonly measure: Measure;
  readonly unit: Unit;
  readonly buckets: readonly CoveredBucket[];
  readonly series: readonly Series[];
  /** A level to compare with: a line, or a band. */
  readonly reference?: { readonly name: string; readonly from: number; readonly to: number } | undefined;
}

/** A picture and the sentence about it. */
export interface Captured {
  readonly caption: string;
  readonly data: PictureData;
}

/** The counts of buckets. Where nothing was observed, a count of 0 says nothing. */
export function observedCounts(
  buckets: readonly CoveredBucket[],
  valueOf: (bucket: CoveredBucket) => number | undefined,
): readonly (number | undefined)[] {
  return buckets.map((bucket) => {
    const value = valueOf(bucket) ?? 0;
    return value === 0 && bucket.coverage.kind === "unobserved" ? undefined : value;
  });
}

/** The values of buckets that are over and were observed. Only these are compared. */
export function comparable(
  buckets: readonly CoveredBucket[],
  values: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  return values.map((value, index) => {
    const { isCurrent, coverage } = buckets[index] ?? {};
    return isCurrent === true || coverage?.kind === "unobserved" ? undefined : value;
  });
}

/** The largest sum of a bar, or the largest value of a line. */
export function mostIn({ form, series, buckets, reference }: PictureData): number {
  const valuesAt = (index: number): readonly number[] => series.map(({ values }) => values[index] ?? 0);
  const heights = buckets.map((_, index) =>
    form === "bars" ? valuesAt(index).reduce((sum, value) => sum + value, 0) : Math.max(...valuesAt(index)),
  );
  return Math.max(0, reference?.to ?? 0, ...heights);
}

export function valueText(value: number, measure: Measure): string {
  switch (measure) {
    case "count":
      return number(value);
    case "seconds":
      return value === 0 ? "0" : spanText(value * 1_000);
    case "share":
      return `${Number((value * 100).toPrecision(3))} %`;
  }
}

/** The label of a mark of the value axis. Whole hours are not written as minutes. */
export function markText(value: number, measure: Measure): string {
  const hours = value / 3_600;
  return measure === "seconds" && value > 0 && hours < 24 && Number.isInteger(hours)
    ? `${hours}h`
    : valueText(value, measure);
}
