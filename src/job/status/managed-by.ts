import type { JobSpec } from "../model/job-spec.ts";

/** `spec.managedBy` of the Job controller itself; absent means the same. */
const JOB_CONTROLLER = "kubernetes.io/job-controller";

/**
 * Whether the built-in controller leaves the Job alone: another one manages it, or its completionMode is unknown
 * (job-semantics 10). Nothing may be computed for such a Job; what is reported is all there is.
 */
export function isLeftAlone({ managedBy, completionMode }: Pick<JobSpec, "managedBy" | "completionMode">): boolean {
  if (managedBy !== undefined && managedBy !== JOB_CONTROLLER) return true;
  return completionMode !== "NonIndexed" && completionMode !== "Indexed";
}
