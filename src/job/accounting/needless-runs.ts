import type { JobAnswer } from "../../explain/answer-document.ts";

/** Pods that succeeded beyond the completions the Job asked for: work that was done although it had been done. */
export function needlessRuns({ spec, pods }: JobAnswer): number {
  return spec.completions === undefined ? 0 : Math.max(0, pods.succeeded - spec.completions);
}
