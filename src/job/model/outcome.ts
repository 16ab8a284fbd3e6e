import type { PodTerminated } from "./fact.ts";
import { compareOrder } from "./order.ts";
import type { PodRecord } from "./pod-record.ts";

export type Outcome = "Succeeded" | "Failed" | "Active" | "Terminating" | "Unknown";

/** What the Pod came to. The first terminal phase is what it did; a Pod that went without one is Unknown, never Failed. */
export function outcomeOf(pod: PodRecord): Outcome {
  const end = firstEnd(pod);
  if (end !== undefined) return end.phase;
  if (isGone(pod)) return "Unknown";
  return pod.deletionRequested === undefined ? "Active" : "Terminating";
}

/** The first terminal phase that was seen of the Pod. */
export function firstEnd({ succeeded, failed }: PodRecord): PodTerminated | undefined {
  if (succeeded === undefined || failed === undefined) return succeeded ?? failed;
  return compareOrder(failed, succeeded) < 0 ? failed : succeeded;
}

/** The Pod object is no longer there. */
export function isGone({ deleted, vanished }: PodRecord): boolean {
  return deleted !== undefined || vanished !== undefined;
}

/** Both terminal phases were seen: something wrote the phase again after the Pod had ended. */
export function hasFlipped({ succeeded, failed }: PodRecord): boolean {
  return succeeded !== undefined && failed !== undefined;
}
