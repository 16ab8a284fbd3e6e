import type { CronRunAnswer } from "../../src/query/cron-jobs/cron-run.ts";
import { dayStart } from "../../src/job/model/instant.ts";
import type { Captioned } from "../pictures/captions.ts";
import { type Baseline, percentilesOf } from "../pictures/percentiles-picture.ts";
import type { Captured } from "../pictures/picture-data.ts";
import { rankOf } from "../pictures/step.ts";
import { millisOf } from "../text/instant-text.ts";

/** The runs of a CronJob, by the UTC day of their creation. */
export type RunsByDay = ReadonlyMap<number, readonly CronRunAnswer[]>;

export function runsByDay(runs: readonly CronRunAnswer[]): RunsByDay {
  return Map.groupBy(runs, ({ createdAt }) => dayStart(millisOf(createdAt) ?? 0));
}

/** From the due time to creation. */
export function startDelaysOf(pictured: Captioned, byDay: RunsByDay): Captured {
  return percentilesOf(pictured, {
    of: ({ at }) => percentilesAt(byDay.get(at), ({ delaySeconds }) => delaySeconds),
    did: "had a delay of",
    none: "No run has a due time.",
  });
}

/** From start to finish. */
export function runDurationsOf(pictured: Captioned, byDay: RunsByDay, baseline: Baseline | undefined): Captured {
  return percentilesOf(pictured, {
    of: ({ at }) => percentilesAt(byDay.get(at), ({ durationSeconds }) => durationSeconds),
    did: "took",
    none: "No run has a known duration.",
    baseline,
  });
}

function percentilesAt(
  runs: readonly CronRunAnswer[] = [],
  secondsOf: (run: CronRunAnswer) => number | undefined,
): { readonly p50: number; readonly p90: number } | undefined {
  const seconds = runs.map(secondsOf).filter((value) => value !== undefined);
  const [p50, p90] = [rankOf(seconds, 0.5), rankOf(seconds, 0.9)];
  return p50 === undefined || p90 === undefined ? undefined : { p50, p90 };
}
