import type { Instant } from "./instant.ts";
import { firstEnd } from "./outcome.ts";
import { compareOrder } from "./order.ts";
import type { PodRecord } from "./pod-record.ts";

/**
 * The Pod was seen for the first time when it had ended, or was being deleted, or was gone. No Pod is made like that, so earlier observations of it were missed. One that
 * is older than the Job was adopted: what it did before was told of no Job, or of another.
 */
export function isFirstSeenLate(pod: PodRecord, jobCreatedAt: Instant | undefined): boolean {
  const { created, deletionRequested, deleted } = pod;
  if (created === undefined) return true;
  if (jobCreatedAt !== undefined && created.createdAt < jobCreatedAt) return false;
  return [firstEnd(pod), deletionRequested, deleted].some(
    (fact) => fact !== undefined && compareOrder(fact, created) <= 0,
  );
}
