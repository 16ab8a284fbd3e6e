import type { JobAnswer } from "./answer-document.ts";

/** How far a Job is, as `kubectl get jobs` prints it: without completions it is done with the first success. */
export function completionsText({ spec, status }: Pick<JobAnswer, "spec" | "status">): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return spec.parallelism > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}
