import type { JobSpec } from "../model/job-spec.ts";

/** What stands against `backoffLimit`. */
export interface BackOffCounts {
  /** Failed Pods by their known total, without ignored failures. */
  readonly failed: number;
  /** Restarts of all containers of Pods that are Pending or Running. */
  readonly restarts: number;
}

/**
 * Whether `backoffLimit` is exceeded (job-semantics 5): by more failed Pods than the limit, or, where containers
 * restart in place, by as many restarts.
 */
export function exceedsBackOffLimit(
  { backoffLimit, restartPolicy }: Pick<JobSpec, "backoffLimit" | "restartPolicy">,
  { failed, restarts }: BackOffCounts,
): boolean {
  if (failed > backoffLimit) return true;
  return restartPolicy === "OnFailure" && restarts >= Math.max(1, backoffLimit);
}
