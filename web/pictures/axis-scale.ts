/** What the values of a picture are. Shares are from 0 to 1. */
export type Measure = "count" | "seconds" | "share";

/** Round steps of durations in seconds, up to a day. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

/** The marks of an axis from 0: two to five of them, the last at or above `most`. */
export function axisMarks(most: number, measure: Measure): readonly number[] {
  const wanted = most / 4;
  const step = measure === "seconds" ? spanStep(wanted) : decimalStep(wanted, measure === "count" ? 1 : 0.01);
  const marks = Math.max(1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: marks + 1 }, (_, index) => index * step);
}

function spanStep(wanted: number): number {
  const day = 86_400;
  return SECONDS.find((step) => step >= wanted) ?? decimalStep(wanted / day, 1) * day;
}

/** 1, 2 or 5 times a power of ten. */
function decimalStep(wanted: number, least: number): number {
  if (wanted <= least) return least;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 5].find((factor) => factor * power >= wanted - power * 1e-9) ?? 10);
}
