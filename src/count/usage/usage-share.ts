import { addUsage, type GrowingUsage, newUsage, type Usage } from "../../job/usage/usage.ts";
import { DAY_MILLIS, utcDay } from "../../job/model/instant.ts";
import type { EncodedJobState } from "../../ports/job-row.ts";
import { readableUsage } from "../../projection/job-state/stored-answer.ts";

/**
 * What a stored Job reserved on each UTC day. It depends on the stored row alone, so that what was added for it can be
 * subtracted again. Empty until the Job is over.
 */
export function usageShare(stored: Pick<EncodedJobState, "row"> | undefined): ReadonlyMap<string, Usage> {
  const days = new Map<string, GrowingUsage>();
  const hours = stored?.row && readableUsage(stored.row);
  for (const [hour, usage] of hours ?? []) {
    const day = utcDay(Math.floor(hour / DAY_MILLIS) * DAY_MILLIS);
    const sum = days.get(day) ?? newUsage();
    days.set(day, sum);
    addUsage(sum, usage);
  }
  return days;
}
