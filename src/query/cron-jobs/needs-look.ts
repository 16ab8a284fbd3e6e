import type { Instant } from "../../job/model/instant.ts";
import { GRACE_MILLIS, type Observation } from "../../job/schedule/due-runs.ts";
import { isOnTime } from "./is-on-time.ts";
import type { KnownCronJob } from "./cron-jobs.ts";
import type { UnfinishedRuns } from "./unfinished-runs.ts";

export interface LookRange extends Pick<Observation, "heardAt" | "now"> {
  /** What happened before is known: nothing was to be reported. */
  readonly since: Instant;
  readonly unfinished: UnfinishedRuns;
}

/**
 * Whether the runs of a CronJob have to be read to know its findings. Not of one that is on time by its own status and
 * has no run in progress for some minutes: most are, and their records are read anyway.
 *
 * It misses one case. With policy Allow, a run that took longer than three others may succeed after all of them failed;
 * the status does not say which run succeeded. Such a run was in progress for some minutes before.
 */
export function needsLook({ answer, record }: KnownCronJob, { since, heardAt, now, unfinished }: LookRange): boolean {
  if (unfinished.has(answer)) return true;
  // The run of a later due time may still begin.
  const until = Math.min(heardAt, now) - GRACE_MILLIS;
  return !isOnTime(record, { since, until });
}
