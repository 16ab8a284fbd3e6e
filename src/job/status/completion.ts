import type { JobSpec } from "../model/job-spec.ts";

export interface CompletionState {
  /** Known total; of an Indexed Job the number of completed indexes. */
  readonly succeeded: number;
  readonly active: number;
  /** Somebody asked for the Job to go: its controller takes no Pod away any more. */
  readonly deleting: boolean;
}

/**
 * Whether the Job has done what it was to do (job-semantics 4): a work queue has one success, others have their
 * `completions`, and nothing is active. Active Pods that the controller takes away in the same sync do not hold the
 * verdict up: surplus ones, and all of a suspended Job.
 */
export function isCompleted(
  { completions, suspend }: Pick<JobSpec, "completions" | "suspend">,
  { succeeded, active, deleting }: CompletionState,
): boolean {
  const isEnough = completions === undefined ? succeeded > 0 : succeeded >= completions;
  const areTakenAway = !deleting && (suspend || completions !== undefined);
  return isEnough && (active === 0 || areTakenAway);
}
