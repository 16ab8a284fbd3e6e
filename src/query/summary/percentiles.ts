import * as v from "valibot";
import { amount, type AnswerOf } from "../../explain/answer-parts.ts";

export const percentilesSchema = v.object({ p50: amount, p90: amount, p99: amount, max: amount });
export type Percentiles = AnswerOf<typeof percentilesSchema>;

/** Percentiles by nearest rank: each is one of the values. Needs at least one value. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) };
}
