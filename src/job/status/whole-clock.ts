import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";

/**
 * Milliseconds of the clock *whole*: from the creation of a Job to `until`, without the time during which it was
 * suspended. `undefined` if its creation was not observed.
 */
export function wholeMillis(job: JobObject, until: Instant): number | undefined {
  if (job.created === undefined) return undefined;
  const { createdAt } = job.created;
  return Math.max(0, until - createdAt - suspendedMillis(job, createdAt, until));
}

/** Each change of `spec.suspend` is a version of the spec with its time. The first version is as old as the Job. */
function suspendedMillis({ specified }: JobObject, createdAt: Instant, until: Instant): number {
  let suspended = 0;
  let since: Instant | undefined;
  const versions = [...(specified?.values() ?? [])].sort(compareOrder);
  for (const [index, { spec, at }] of versions.entries()) {
    const changedAt = index === 0 ? createdAt : at;
    if (spec.suspend) since ??= changedAt;
    else if (since !== undefined) {
      suspended += Math.max(0, Math.min(changedAt, until) - since);
      since = undefined;
    }
  }
  return since === undefined ? suspended : suspended + Math.max(0, until - since);
}
