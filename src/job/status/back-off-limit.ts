import type { JobSpec } from "../model/job-spec.ts";

/** The counts that are compared with `backoffLimit`. */
export interface BackOffCounts {
  /** The known total of failed Pods, without ignored failures. */
  readonly failed: number;
  /** Restarts of all containers of Pods that are Pending or Running. */
  readonly restarts: number;
}

/**
 * Whether `backoffLimit` is exceeded (job-semantics 5): by more failed Pods than the limit, or, if containers restart
 * in place, by as many restarts as the limit.
 */
export function exceedsBackOffLimit(
  { backoffLimit, restartPolicy }: Pick<JobSpec, "backoffLimit" | "restartPolicy">,
  { failed, restarts }: BackOffCounts,
): boolean {
  if (failed > backoffLimit) return true;
  return restartPolicy === "OnFailure" && restarts >= Math.max(1, backoffLimit);
}
