import type { JobObject } from "../model/job-record.ts";
import { firstEnd, isGone } from "../model/outcome.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * The garbage collector removes these finalizers itself once the Pods are gone or released. TTL and foreground deletion
 * set the first on every Job, usually for less than a second.
 */
const GARBAGE_COLLECTOR_FINALIZERS: readonly string[] = ["foregroundDeletion", "orphan"];

/**
 * Whether time alone can no longer change anything about an ended Job: no Pod runs or waits for the Job controller to
 * remove its finalizer, and no requested deletion of the Job waits for another client's finalizer.
 */
export function isSettled(job: JobObject, pods: readonly PodRecord[]): boolean {
  return (
    !isHeldByClient(job) && pods.every((pod) => isGone(pod) || (firstEnd(pod) !== undefined && !hasFinalizer(pod)))
  );
}

/** Whether a requested deletion of the Job waits for a finalizer that only another client removes. */
function isHeldByClient({ deletionRequested, deleted, vanished }: JobObject): boolean {
  if (deletionRequested === undefined || (deleted ?? vanished) !== undefined) return false;
  return deletionRequested.finalizers.some((finalizer) => !GARBAGE_COLLECTOR_FINALIZERS.includes(finalizer));
}

/** Whether the Pod still has the tracking finalizer. */
export function hasFinalizer(pod: PodRecord): boolean {
  return pod.tracked !== undefined && pod.untracked === undefined && !isGone(pod);
}
