import type { JobSpec } from "../model/job-spec.ts";

export interface CompletionState {
  /** The known total of successes; for an Indexed Job, the number of completed indexes. */
  readonly succeeded: number;
  readonly active: number;
  /** Deletion of the Job was requested: its controller deletes no more Pods. */
  readonly deleting: boolean;
}

/**
 * Whether the Job is completed (job-semantics 4): a work queue has one success, other Jobs have their `completions`,
 * and no Pod is active. Pods that the controller deletes in the same sync do not delay it: surplus Pods, and all Pods
 * of a suspended Job.
 */
export function isCompleted(
  { completions, suspend }: Pick<JobSpec, "completions" | "suspend">,
  { succeeded, active, deleting }: CompletionState,
): boolean {
  const isEnough = completions === undefined ? succeeded > 0 : succeeded >= completions;
  const areDeleted = !deleting && (suspend || completions !== undefined);
  return isEnough && (active === 0 || areDeleted);
}
