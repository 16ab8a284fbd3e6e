import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import type { Instant } from "../../job/model/instant.ts";
import { cronPlan, plannedTimes } from "./cron-plan.ts";

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
  // What was due before its first observation is unknown.
  const after = Math.min(Math.max(since, plan.observedFrom), lastScheduledAt);
  const due = plannedTimes(plan, { after, until, limit: 2 });
  return due.every(({ at }) => at === lastScheduledAt);
}
