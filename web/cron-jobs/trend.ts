import type { CronRunAnswer } from "../../src/query/cron-jobs/cron-run.ts";
import { millisOf } from "../text/instant-text.ts";

/** Columns for uPlot, which needs mutable arrays: seconds since 1970, then durations in seconds or `null`. */
export type Trend = [number[], (number | null)[]];

/** One duration of each run, in order of time. */
export function trendOf(runs: readonly CronRunAnswer[], span: "delaySeconds" | "durationSeconds"): Trend {
  const ordered = [...runs].sort((a, b) => atOf(a) - atOf(b));
  return [ordered.map(atOf), ordered.map((run) => run[span] ?? null)];
}

function atOf({ scheduledAt, createdAt }: CronRunAnswer): number {
  return (millisOf(scheduledAt ?? createdAt) ?? 0) / 1_000;
}
