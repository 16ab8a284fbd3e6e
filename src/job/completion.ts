import type { JobSpec } from "./job-spec.ts";

export interface CompletionCounts {
  /** Known total; of an Indexed Job the number of completed indexes. */
  readonly succeeded: number;
  readonly active: number;
}

/**
 * Whether the Job has done what it was to do (job-semantics 4): a work queue has one success and nothing active, others have their `completions`.
 * Surplus active Pods of the latter are taken away by the controller and do not hold the verdict up.
 */
export function isCompleted(
  { completions }: Pick<JobSpec, "completions">,
  { succeeded, active }: CompletionCounts,
): boolean {
  return completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions;
}
