import type { PodTerminated } from "./fact.ts";
import { compareOrder } from "./order.ts";
import type { PodRecord } from "./pod-record.ts";

export type Outcome = "Succeeded" | "Failed" | "Active" | "Terminating" | "Unknown";

/** The outcome of a Pod is its first terminal phase. A Pod that is gone without one is Unknown, never Failed. */
export function outcomeOf(pod: PodRecord): Outcome {
  const end = firstEnd(pod);
  if (end !== undefined) return end.phase;
  if (isGone(pod)) return "Unknown";
  return pod.deletionRequested === undefined ? "Active" : "Terminating";
}

/** The first terminal phase that was observed. */
export function firstEnd({ succeeded, failed }: PodRecord): PodTerminated | undefined {
  if (succeeded === undefined || failed === undefined) return succeeded ?? failed;
  return compareOrder(failed, succeeded) < 0 ? failed : succeeded;
}

/** The Pod object no longer exists. */
export function isGone({ deleted, vanished }: PodRecord): boolean {
  return deleted !== undefined || vanished !== undefined;
}

/** Both terminal phases were observed: the phase was changed after the Pod had ended. */
export function hasFlipped({ succeeded, failed }: PodRecord): boolean {
  return succeeded !== undefined && failed !== undefined;
}
