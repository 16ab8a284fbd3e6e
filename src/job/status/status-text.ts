import type { JobCondition, JobStatus } from "./job-status.ts";
import { formatInstant } from "../model/instant.ts";
import type { Condition, ReportedStatus } from "../model/reported-status.ts";

/** A reported status in the form of `batch/v1`. Absent fields stay absent. */
export function formatStatus(status: ReportedStatus): JobStatus {
  const { conditions, startTime, completionTime, uncounted, truncated: _, ...counters } = status;
  return {
    ...counters,
    ...(startTime !== undefined && { startTime: formatInstant(startTime) }),
    ...(completionTime !== undefined && { completionTime: formatInstant(completionTime) }),
    ...(conditions.length > 0 && { conditions: conditions.map(formatCondition) }),
    ...(uncounted !== undefined && { uncountedTerminatedPods: formatUncounted(uncounted) }),
  };
}

export function formatCondition({ type, status, reason, message, lastTransitionAt }: Condition): JobCondition {
  return {
    type,
    status,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(lastTransitionAt !== undefined && { lastTransitionTime: formatInstant(lastTransitionAt) }),
  };
}

/** Empty lists are omitted, as the API server omits them. */
function formatUncounted({
  succeeded,
  failed,
}: NonNullable<ReportedStatus["uncounted"]>): NonNullable<JobStatus["uncountedTerminatedPods"]> {
  return { ...(succeeded.length > 0 && { succeeded }), ...(failed.length > 0 && { failed }) };
}
