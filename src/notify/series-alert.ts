import { formatInstant } from "../job/model/instant.ts";
import { count } from "../job/text/sentence.ts";
import { isDecided, type ObservedRun } from "../parents/cron-job/cron-findings.ts";
import type { SeriesThresholds } from "./rules/rules.ts";

/**
 * Whether the alert of a series is open after these runs, the oldest first. The last runs decide it by themselves: the
 * same runs give the same result, in whatever order their facts came. `wasOpen` counts only if they lack a row of
 * failures or successes that is long enough.
 */
export function isSeriesFailing(
  runs: readonly ObservedRun[],
  { failureThreshold, recoveryThreshold }: SeriesThresholds,
  wasOpen: boolean,
): boolean {
  let isOpen = wasOpen;
  let inRow = 0;
  let last: string | undefined;
  for (const { state } of runs) {
    inRow = state === last ? inRow + 1 : 1;
    last = state;
    if (state === "Failed" && inRow >= failureThreshold) isOpen = true;
    if (state === "Complete" && inRow >= recoveryThreshold) isOpen = false;
  }
  return isOpen;
}

/** The runs that decide about a series, the oldest first. A manual run has no due time, and does not count. */
export function decidedRuns(runs: readonly ObservedRun[]): readonly ObservedRun[] {
  const scheduled = runs.filter((run) => isDecided(run) && run.scheduledAt !== undefined);
  return scheduled.toSorted((a, b) => (a.scheduledAt ?? 0) - (b.scheduledAt ?? 0));
}

/** The last runs of a series in one line: "The last 3 runs failed, since T; the newest is R (BackoffLimitExceeded)." */
export function lastRunsText(runs: readonly ObservedRun[]): string {
  const newest = runs.at(-1);
  if (newest === undefined) return "No run of the last due times has ended.";
  const same = runs.slice(runs.findLastIndex(({ state }) => state !== newest.state) + 1);
  const what = newest.state === "Failed" ? "failed" : "succeeded";
  const [oldest = newest] = same;
  const since = formatInstant(oldest.endedAt ?? oldest.createdAt);
  const reason = newest.state === "Failed" && newest.reason !== undefined ? ` (${newest.reason})` : "";
  if (same.length === 1) return `The last run ${what} at ${since}: ${newest.name}${reason}.`;
  return `The last ${count(same.length, "run")} ${what}, since ${since}; the newest is ${newest.name}${reason}.`;
}
