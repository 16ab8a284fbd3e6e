import type { JobSpec } from "../model/job-spec.ts";

/** `spec.managedBy` of the Job controller itself; absent means the same. */
const JOB_CONTROLLER = "kubernetes.io/job-controller";

/**
 * Whether the built-in controller does not sync the Job: another one manages it, or its completionMode is unknown
 * (job-semantics 10). Nothing is computed for such a Job; its status is the reported one.
 */
export function isLeftAlone({ managedBy, completionMode }: Pick<JobSpec, "managedBy" | "completionMode">): boolean {
  if (managedBy !== undefined && managedBy !== JOB_CONTROLLER) return true;
  return completionMode !== "NonIndexed" && completionMode !== "Indexed";
}
