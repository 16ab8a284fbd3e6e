import { utcDay } from "../../job/model/instant.ts";
import { addUsage, type GrowingUsage, type HourlyUsage, newUsage, type Usage } from "../../job/usage/usage.ts";

/** What was reserved on each UTC day (`yyyymmdd`). */
export function usageByDay(hours: HourlyUsage): ReadonlyMap<string, Usage> {
  const days = new Map<string, GrowingUsage>();
  for (const [hour, usage] of hours) {
    const day = utcDay(hour);
    const sum = days.get(day) ?? newUsage();
    days.set(day, sum);
    addUsage(sum, usage);
  }
  return days;
}
