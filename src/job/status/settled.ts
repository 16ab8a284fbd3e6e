import type { JobObject } from "../model/job-record.ts";
import { firstEnd, isGone } from "../model/outcome.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * Whether nothing about an ended Job changes any more with time alone: no Pod runs or waits for the Job controller to
 * remove its finalizer, and no requested deletion of the Job waits for finalizers.
 */
export function isSettled({ deletionRequested, deleted, vanished }: JobObject, pods: readonly PodRecord[]): boolean {
  const isDeleting = deletionRequested !== undefined && (deleted ?? vanished) === undefined;
  return !isDeleting && pods.every((pod) => isGone(pod) || (firstEnd(pod) !== undefined && !hasFinalizer(pod)));
}

/** Whether the Pod still has the tracking finalizer. */
export function hasFinalizer(pod: PodRecord): boolean {
  return pod.tracked !== undefined && pod.untracked === undefined && !isGone(pod);
}
