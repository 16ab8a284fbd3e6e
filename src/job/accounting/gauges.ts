import { isGone } from "../model/outcome.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** What exists now (job-semantics 2): of Pods with or without finalizer, with or without a valid index. */
export type Gauge = "active" | "terminating";

/** Which gauge the Pod is in now; none once it has ended, is gone, or is no longer the Job's. */
export function gaugeOf(pod: PodRecord): Gauge | undefined {
  if (pod.succeeded !== undefined || pod.failed !== undefined || isGone(pod) || pod.released !== undefined) {
    return undefined;
  }
  return pod.deletionRequested === undefined ? "active" : "terminating";
}

/** The Pod is active and its condition Ready is True, so `ready <= active`. */
export function isReady(pod: PodRecord): boolean {
  return gaugeOf(pod) === "active" && pod.observed?.ready === true;
}

/**
 * Restarts of the Pod's containers and init containers that count towards the back-off limit: while it is Pending or
 * Running (job-semantics 5).
 */
export function liveRestarts(pod: PodRecord): number {
  const { observed } = pod;
  if (observed === undefined || gaugeOf(pod) === undefined) return 0;
  return observed.phase === "Running" || observed.phase === "Pending" ? observed.restarts : 0;
}
