import { ensureCondition } from "./conditions.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { Condition, ReportedStatus } from "../model/reported-status.ts";

/** Kubernetes said that the Job is suspended. */
export function isSuspendedReported({ conditions }: Pick<ReportedStatus, "conditions">): boolean {
  return conditions.some(({ type, status }) => type === "Suspended" && status === "True");
}

/**
 * The conditions as the controller has them once it saw every version of the spec: where it has not yet spoken at all,
 * a Job that was suspended had the condition written, and resuming turns it.
 */
export function withSuspension(conditions: readonly Condition[], job: JobObject, spec: JobSpec): readonly Condition[] {
  const hasSpoken = job.reported?.status.startTime !== undefined || conditions.length > 0;
  const wasSuspended = [...(job.specified?.values() ?? [])].some(({ spec }) => spec.suspend);
  const known = wasSuspended && !hasSpoken ? [suspendedCondition(true)] : conditions;
  return ensureCondition(known, suspendedCondition(spec.suspend));
}

/**
 * The condition that suspending or resuming the Job writes; `False` only turns one that is there (job-semantics 6.2).
 */
function suspendedCondition(suspend: boolean): Condition {
  return suspend
    ? { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }
    : { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" };
}
