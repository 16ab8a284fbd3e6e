import { ensureCondition } from "./conditions.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { Condition, ReportedStatus } from "../model/reported-status.ts";

/** Whether condition Suspended is reported with status True. */
export function isSuspendedReported({ conditions }: Pick<ReportedStatus, "conditions">): boolean {
  return conditions.some(({ type, status }) => type === "Suspended" && status === "True");
}

/**
 * The conditions after the controller has seen every version of the spec. If it has not reported anything yet, a Job
 * that was suspended and resumed has the condition with status False.
 */
export function withSuspension(conditions: readonly Condition[], job: JobObject, spec: JobSpec): readonly Condition[] {
  const hasReported = job.reported?.status.startTime !== undefined || conditions.length > 0;
  const wasSuspended = [...(job.specified?.values() ?? [])].some(({ spec }) => spec.suspend);
  const known = wasSuspended && !hasReported ? [suspendedCondition(true)] : conditions;
  return ensureCondition(known, suspendedCondition(spec.suspend));
}

/**
 * The condition that suspending or resuming writes. `False` only replaces an existing condition (job-semantics 6.2).
 */
function suspendedCondition(suspend: boolean): Condition {
  return suspend
    ? { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }
    : { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" };
}
