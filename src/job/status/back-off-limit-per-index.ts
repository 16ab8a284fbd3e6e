import { finishTimeOf, type FinishTimes } from "./finish-time.ts";
import { countIndexes, hasIndex, type IndexSet } from "../accounting/index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { PolicyMatch } from "./pod-failure-policy.ts";

/** The count in an annotation; missing, unreadable, negative or above int32 reads as 0 (job-semantics 7.1). */
export function readFailureCount(annotation: string | null | undefined): number {
  if (typeof annotation !== "string" || !/^[+-]?[0-9]+$/.test(annotation)) return 0;
  const count = Number(annotation);
  return count >= 0 && count <= 2_147_483_647 ? count + 0 : 0;
}

/**
 * Whether a failed Pod makes its index failed: by a `FailIndex` rule, or as the counted failure that was one too many.
 */
export function failsIndex(
  { backoffLimitPerIndex }: Pick<JobSpec, "backoffLimitPerIndex">,
  failureCount: number,
  { action, counted }: PolicyMatch,
): boolean {
  if (backoffLimitPerIndex === undefined) return false;
  return action === "FailIndex" || (counted && failureCount >= backoffLimitPerIndex);
}

/** The counts that a Pod's replacement carries: an ignored failure adds to its own count. */
export function replacementFailureCounts(
  replaced:
    | { readonly failureCount: number; readonly ignoredFailureCount: number; readonly match: PolicyMatch }
    | undefined,
): { readonly failureCount: number; readonly ignoredFailureCount: number } {
  if (replaced === undefined) return { failureCount: 0, ignoredFailureCount: 0 };
  const { failureCount, ignoredFailureCount, match } = replaced;
  return match.counted
    ? { failureCount: failureCount + 1, ignoredFailureCount }
    : { failureCount, ignoredFailureCount: ignoredFailureCount + 1 };
}

/**
 * What the per-index limits say of the whole Job: too many failed indexes at once, or all indexes have ended and some
 * failed.
 */
export function perIndexVerdict(
  {
    backoffLimitPerIndex,
    maxFailedIndexes,
    completions,
  }: Pick<JobSpec, "backoffLimitPerIndex" | "maxFailedIndexes" | "completions">,
  failedIndexes: IndexSet,
  completedIndexes: IndexSet,
): "MaxFailedIndexesExceeded" | "FailedIndexes" | undefined {
  if (backoffLimitPerIndex === undefined) return undefined;
  const failed = countIndexes(failedIndexes);
  if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) return "MaxFailedIndexesExceeded";
  const ended = failed + countIndexes(completedIndexes);
  return failed > 0 && completions !== undefined && ended >= completions ? "FailedIndexes" : undefined;
}

/** A failed Pod that may have to wait for its replacement. */
export interface FailedIndexPod extends FinishTimes {
  readonly uid: string;
  readonly index: number;
  readonly failureCount: number;
  readonly ignoredFailureCount: number;
}

/** Indexes for which no failed Pod is held back. */
export interface SettledIndexes {
  readonly completed: IndexSet;
  readonly failed: IndexSet;
  readonly active: IndexSet;
}

/**
 * The failed Pods whose failure is not yet in `status.failed`, because the replacement that carries the next count is
 * not made (job-semantics 7.3): one for each open index, the one with the highest count, then the latest end. Pods
 * without the finalizer or without a valid index are no candidates.
 */
export function heldBackPods<Pod extends FailedIndexPod>(
  candidates: readonly Pod[],
  settled: SettledIndexes,
): readonly Pod[] {
  const held = new Map<number, Pod>();
  for (const pod of candidates) {
    const { index } = pod;
    if (isSettled(index, settled)) continue;
    const known = held.get(index);
    if (known === undefined || comesAfter(pod, known)) held.set(index, pod);
  }
  return [...held.values()];
}

function isSettled(index: number, { completed, failed, active }: SettledIndexes): boolean {
  return hasIndex(completed, index) || hasIndex(failed, index) || hasIndex(active, index);
}

function comesAfter(a: FailedIndexPod, b: FailedIndexPod): boolean {
  const count = a.failureCount + a.ignoredFailureCount - (b.failureCount + b.ignoredFailureCount);
  return count > 0 || (count === 0 && finishTimeOf(a) > finishTimeOf(b));
}
