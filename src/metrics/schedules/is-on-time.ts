import type { CronJobRecord } from "../../job/model/cluster-record.ts";
import type { Instant } from "../../job/model/instant.ts";
import { cronPlan, plannedTimes } from "../../job/schedule/cron-plan.ts";

/**
 * Whether the status of a CronJob alone says that its last run succeeded, and that no other was due since. Then there
 * is nothing to read about a CronJob that had nothing to count until `since`.
 */
export function isOnTime(
  record: CronJobRecord,
  { since, until }: Readonly<Record<"since" | "until", Instant>>,
): boolean {
  const plan = cronPlan(record);
  if (plan === undefined) return true;
  const { lastScheduledAt = Infinity, lastSuccessfulAt = -Infinity } = record.observed ?? {};
  const due = plannedTimes(plan, { after: since, until, limit: 2 });
  return lastSuccessfulAt >= lastScheduledAt && due.every(({ at }) => at === lastScheduledAt);
}
