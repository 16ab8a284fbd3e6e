import type { GapRecorded } from "../../job/model/fact.ts";
import { concernsJobs } from "../../job/status/completeness.ts";
import type { PastRun, PastRuns } from "./past-run.ts";

/** How long a run of a series usually takes, in milliseconds of the clock *whole* (docs/answers/expectations.md). */
export interface Expected {
  /** How many runs the baseline has. */
  readonly runs: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
  readonly remaining?: Remaining;
}

/** The time left, if it is known. */
export interface Remaining {
  readonly p50: number;
  readonly p90: number;
  /** How many past runs lasted at least as long, or how many indexes have finished. */
  readonly of: number;
}

/** Why the baseline is too small: runs that it could have had, and does not. */
export interface TooFewRuns {
  readonly runs: number;
  readonly acrossGap: number;
  readonly otherTemplate: number;
}

export type Expectation =
  | { readonly outcome: "expected"; readonly expected: Expected; readonly elapsed: number }
  | { readonly outcome: "tooFewRuns"; readonly known: TooFewRuns };

/** The run in progress. */
export interface RunInProgress {
  readonly template: PastRun["template"];
  /** Milliseconds of the clock *whole* so far. */
  readonly elapsed: number;
  /** Only of Indexed Jobs. */
  readonly indexes?: { readonly finished: number; readonly total: number };
}

/** A baseline has the newest runs only. */
export const BASELINE_RUNS = 50;
/** With fewer runs, nothing is expected. */
export const MIN_BASELINE_RUNS = 10;
/** Of fewer values, the 90th percentile is unknown: its rank would be greater than their number. */
const MIN_OF_REMAINING = 9;

/** How long the run in progress will take, by the past runs of its series with the same template. */
export function expectationOf(pastRuns: PastRuns, current: RunInProgress, gaps: KnownGaps): Expectation {
  const observed = observedRuns(pastRuns, gaps);
  const alike = observed.filter(({ template }) => template === current.template);
  const [acrossGap, otherTemplate] = [pastRuns.length - observed.length, observed.length - alike.length];
  const sorted = alike
    .slice(-BASELINE_RUNS)
    .map(({ millis }) => millis)
    .sort((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined || sorted.length < MIN_BASELINE_RUNS) {
    return { outcome: "tooFewRuns", known: { runs: alike.length, acrossGap, otherTemplate } };
  }
  const remaining = remainingOf(sorted, current);
  const expected = { runs: sorted.length, p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), max };
  return {
    outcome: "expected",
    expected: { ...expected, ...(remaining !== undefined && { remaining }) },
    elapsed: current.elapsed,
  };
}

/** The runs without a gap. A run that begins when a gap ends, or ends when one begins, was observed. */
export function observedRuns(pastRuns: PastRuns, gaps: KnownGaps): PastRuns {
  const hiding = gaps.filter(({ resources }) => concernsJobs(resources));
  return pastRuns.filter(({ createdAt, endedAt }) => !hiding.some(({ from, to }) => from < endedAt && to > createdAt));
}

export type KnownGaps = readonly Pick<GapRecorded, "from" | "to" | "resources">[];

/** The sample of rank `ceil(share * (n + 1))`: a next value is at most this with this probability, or a higher one. */
export function quantile(sorted: readonly number[], share: number): number {
  const rank = Math.min(sorted.length, Math.ceil(share * (sorted.length + 1)));
  return sorted[rank - 1] ?? 0;
}

/** By the indexes that have finished, if they are enough; otherwise by the past runs that lasted at least as long. */
function remainingOf(sorted: readonly number[], { elapsed, indexes }: RunInProgress): Remaining | undefined {
  if (indexes !== undefined && indexes.finished >= MIN_OF_REMAINING) return remainingByIndexes(indexes, elapsed);
  const left = sorted.filter((millis) => millis >= elapsed).map((millis) => millis - elapsed);
  if (left.length < MIN_OF_REMAINING) return undefined;
  return { p50: quantile(left, 0.5), p90: quantile(left, 0.9), of: left.length };
}

/** The 90th percentile of the normal distribution, in standard deviations. */
const NORMAL_P90 = 1.2816;

/**
 * The indexes that are left, at the rate of those that have finished. Both numbers vary as the counts of independent
 * events do, so that the relative deviation is `sqrt(1 / finished + 1 / left)`.
 */
function remainingByIndexes({ finished, total }: NonNullable<RunInProgress["indexes"]>, elapsed: number): Remaining {
  const left = Math.max(0, total - finished);
  const p50 = Math.round((elapsed * left) / finished);
  const deviation = left === 0 ? 0 : Math.sqrt(1 / finished + 1 / left);
  return { p50, p90: Math.round(p50 * (1 + NORMAL_P90 * deviation)), of: finished };
}

/** A run that lasts this many times the 90th percentile, longer than each before it, and five minutes, is slow. */
const SLOW_FACTOR = 1.5;
export const SLOW_FLOOR_MILLIS = 300_000;

/** After how many milliseconds of the clock *whole* a run is slower than usual. */
export function slowAfter({ p90, max }: Pick<Expected, "p90" | "max">): number {
  return Math.max(max, SLOW_FACTOR * p90, SLOW_FLOOR_MILLIS);
}
