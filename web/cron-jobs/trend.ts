import type { CronRunAnswer } from "../../src/query/cron-runs.ts";
import { millisOf } from "../text/instant-text.ts";

/** Columns as uPlot takes them (it asks for arrays that may change): seconds since 1970, then drift and duration in seconds; `null` where a run has none. */
export type Trend = [number[], (number | null)[], (number | null)[]];

/** Runs in order of time. */
export function trendOf(runs: readonly CronRunAnswer[]): Trend {
  const ordered = [...runs].sort((a, b) => atOf(a) - atOf(b));
  return [
    ordered.map(atOf),
    ordered.map(({ delaySeconds }) => delaySeconds ?? null),
    ordered.map(({ durationSeconds }) => durationSeconds ?? null),
  ];
}

function atOf({ scheduledAt, createdAt }: CronRunAnswer): number {
  return (millisOf(scheduledAt ?? createdAt) ?? 0) / 1_000;
}
