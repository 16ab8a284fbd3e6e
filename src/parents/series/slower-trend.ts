import type { Instant } from "../../job/model/instant.ts";
import { BASELINE_RUNS, type KnownGaps, MIN_BASELINE_RUNS, observedRuns, quantile } from "./expectation.ts";
import type { PastRuns } from "./past-run.ts";

/** The last runs of a series took longer than most of those before. */
export interface SlowerTrend {
  /** When the run ended with which this began. */
  readonly since: Instant;
  /** How many runs are the last ones. */
  readonly last: number;
  /** How many runs before are compared with them. */
  readonly before: number;
  /** The median of the last runs, and the 90th percentile of those before: milliseconds of the clock *whole*. */
  readonly median: number;
  readonly p90: number;
}

const LAST_RUNS = 5;

/** Whether the median of the last runs is above the 90th percentile of the baseline before them. */
export function slowerTrend(pastRuns: PastRuns, gaps: KnownGaps): SlowerTrend | undefined {
  const newest = pastRuns.at(-1);
  const alike = observedRuns(pastRuns, gaps).filter(({ template }) => template === newest?.template);
  const trend = trendIn(alike);
  if (trend === undefined) return undefined;
  let { since } = trend;
  let end = alike.length - 1;
  for (let earlier = trendIn(alike.slice(0, end)); earlier !== undefined; earlier = trendIn(alike.slice(0, end))) {
    ({ since } = earlier);
    end -= 1;
  }
  return { ...trend, since };
}

/** The trend with the last of these runs. */
function trendIn(runs: PastRuns): SlowerTrend | undefined {
  const last = runs.slice(-LAST_RUNS);
  const before = runs.slice(0, -LAST_RUNS).slice(-BASELINE_RUNS);
  const newest = last.at(-1);
  if (newest === undefined || before.length < MIN_BASELINE_RUNS) return undefined;
  const [median, p90] = [quantile(sorted(last), 0.5), quantile(sorted(before), 0.9)];
  if (median <= p90) return undefined;
  return { since: newest.endedAt, last: last.length, before: before.length, median, p90 };
}

function sorted(runs: PastRuns): readonly number[] {
  return runs.map(({ millis }) => millis).sort((a, b) => a - b);
}
