import type { Instant } from "./instant.ts";
import { firstEnd } from "./outcome.ts";
import { compareOrder } from "./order.ts";
import type { PodRecord } from "./pod-record.ts";

/**
 * Whether the first observation of the Pod was missed: at the first one it had ended, was being deleted, or was gone.
 * A Pod that is older than the Job was adopted: its earlier facts belong to another Job or to none.
 */
export function isFirstSeenLate(pod: PodRecord, jobCreatedAt: Instant | undefined): boolean {
  const { created, deletionRequested, deleted } = pod;
  if (created === undefined) return true;
  if (jobCreatedAt !== undefined && created.createdAt < jobCreatedAt) return false;
  return [firstEnd(pod), deletionRequested, deleted].some(
    (fact) => fact !== undefined && compareOrder(fact, created) <= 0,
  );
}
