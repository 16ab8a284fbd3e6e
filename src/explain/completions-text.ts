import type { JobAnswer } from "./answer-document.ts";

/** The progress of a Job, as `kubectl get jobs` prints it. A Job without completions is done with its first success. */
export function completionsText({ spec, status }: Pick<JobAnswer, "spec" | "status">): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return spec.parallelism > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}
