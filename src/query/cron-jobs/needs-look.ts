import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import type { Instant } from "../../job/model/instant.ts";
import { cronPlan, plannedTimes } from "../../parents/cron-job/cron-plan.ts";
import { GRACE_MILLIS, type Observation } from "../../parents/cron-job/due-runs.ts";
import type { KnownCronJob } from "./cron-jobs.ts";
import type { UnfinishedRuns } from "./unfinished-runs.ts";

export interface LookRange extends Pick<Observation, "heardAt" | "now"> {
  /** The instant before which everything is known, without a problem to report. */
  readonly since: Instant;
  readonly unfinished: UnfinishedRuns;
}

/**
 * Whether the runs of a CronJob have to be read to know its findings. They need not if its own status shows that it is
 * on time and no run has been in progress for some minutes, which is the usual case. The rule misses one case. With
 * policy Allow, a run that took longer than three others may succeed after all of them failed, and the status does not
 * say which run succeeded. Such a run was in progress for some minutes before.
 */
export function needsLook({ answer, record }: KnownCronJob, { since, heardAt, now, unfinished }: LookRange): boolean {
  if (unfinished.has(answer)) return true;
  // The run of a later due time may still begin.
  const until = Math.min(heardAt, now) - GRACE_MILLIS;
  return !isOnTime(record, { since, until });
}

/**
 * Whether the status of a CronJob alone says that its last run succeeded, that no other was due since, and that no
 * other was due between `since` and `until`.
 */
export function isOnTime(
  record: CronJobRecord,
  { since, until }: Readonly<Record<"since" | "until", Instant>>,
): boolean {
  const { lastScheduledAt = Infinity, lastSuccessfulAt = -Infinity } = record.observed ?? {};
  if (record.observed !== undefined && lastSuccessfulAt < lastScheduledAt) return false;
  const plan = cronPlan(record);
  if (plan === undefined) return true;
  const due = plannedTimes(plan, { after: Math.min(since, lastScheduledAt), until, limit: 2 });
  return due.every(({ at }) => at === lastScheduledAt);
}
