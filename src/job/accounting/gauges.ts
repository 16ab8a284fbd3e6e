import { isGone } from "../model/outcome.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The Pods that exist now, with or without finalizer or valid index (job-semantics 2). */
export type Gauge = "active" | "terminating";

/** The gauge that includes the Pod now; `undefined` if it has ended, is gone, or was released by the Job. */
export function gaugeOf(pod: PodRecord): Gauge | undefined {
  if (pod.succeeded !== undefined || pod.failed !== undefined || isGone(pod) || pod.released !== undefined) {
    return undefined;
  }
  return pod.deletionRequested === undefined ? "active" : "terminating";
}

/** Whether the Pod is active and its condition Ready is True. Thus `ready <= active`. */
export function isReady(pod: PodRecord): boolean {
  return gaugeOf(pod) === "active" && pod.observed?.ready === true;
}

/**
 * The restarts of containers and init containers that count towards the back-off limit: those of a Pending or Running
 * Pod (job-semantics 5).
 */
export function liveRestarts(pod: PodRecord): number {
  const { observed } = pod;
  if (observed === undefined || gaugeOf(pod) === undefined) return 0;
  return observed.phase === "Running" || observed.phase === "Pending" ? observed.restarts : 0;
}
