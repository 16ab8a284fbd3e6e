import type { JobSpec } from "../model/job-spec.ts";

/**
 * When a Pod that is being deleted is counted and replaced: at once (`eager`), or when it has ended (`waiting`). See
 * job-semantics 1.
 */
export type ReplacementMode = "eager" | "waiting";

/** `waiting` with `podReplacementPolicy: Failed`, or with any podFailurePolicy, even one without rules. */
export function replacementMode(spec: Pick<JobSpec, "podReplacementPolicy" | "podFailurePolicy">): ReplacementMode {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined ? "waiting" : "eager";
}
