import type { Condition, ReportedStatus } from "./reported-status.ts";

/** Kubernetes said that the Job is suspended. */
export function isSuspendedReported({ conditions }: Pick<ReportedStatus, "conditions">): boolean {
  return conditions.some(({ type, status }) => type === "Suspended" && status === "True");
}

/** The condition that suspending or resuming the Job writes; `False` only turns one that is there (job-semantics 6.2). */
export function suspendedCondition(suspend: boolean): Condition {
  return suspend
    ? { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }
    : { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" };
}
