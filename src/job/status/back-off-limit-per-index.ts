import { finishTimeOf, type FinishTimes } from "./finish-time.ts";
import { countIndexes, hasIndex, type IndexSet } from "../accounting/index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { PolicyMatch } from "./pod-failure-policy.ts";

/** The count in an annotation; 0 if it is missing, invalid, negative or above int32 (job-semantics 7.1). */
export function readFailureCount(annotation: string | null | undefined): number {
  if (typeof annotation !== "string" || !/^[+-]?[0-9]+$/.test(annotation)) return 0;
  const count = Number(annotation);
  return count >= 0 && count <= 2_147_483_647 ? count + 0 : 0;
}

/** Whether a failed Pod fails its index: by a `FailIndex` rule, or because it exceeds the limit of counted failures. */
export function failsIndex(
  { backoffLimitPerIndex }: Pick<JobSpec, "backoffLimitPerIndex">,
  failureCount: number,
  { action, counted }: PolicyMatch,
): boolean {
  if (backoffLimitPerIndex === undefined) return false;
  return action === "FailIndex" || (counted && failureCount >= backoffLimitPerIndex);
}

/** The counts of a Pod's replacement. Counted and ignored failures have separate counts. */
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

/** The failure of the Job by per-index limits: too many indexes failed, or all indexes ended and some failed. */
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

/** A failed Pod that upstream may not count before its replacement exists. */
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
 * The failed Pods that are not in `status.failed` yet, because the replacement with the next count does not exist
 * (job-semantics 7.3). For each open index it is the Pod with the highest count, then the one with the latest end.
 *
 * Pods without the finalizer or without a valid index are no candidates.
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
