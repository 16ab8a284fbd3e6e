import type { JobReported } from "../model/fact.ts";
import { heldBackIndexes } from "./held-back.ts";
import { countIndexes, hasIndex, type IndexSet, NO_INDEXES, parseIndexSet, unionIndexes } from "./index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { type DeletionsFail, isSetCut, listsOf, type OwnTotals, ownTotals } from "./own-totals.ts";
import type { ReportedStatus, UncountedPods } from "../model/reported-status.ts";
import type { CountedPod, PodTally } from "./pod-tally.ts";
import type { Tracking } from "./tracking.ts";

/**
 * What is known to have come of the Job's Pods, whoever says so: never more than there truly was
 * (docs/decisions/0008-known-totals.md).
 */
export interface KnownTotals {
  /** Indexed: the number of completed indexes. */
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: IndexSet;
  readonly failedIndexes: IndexSet;
  /**
   * `failed` as long as there is no verdict: without Pods that are held back until their replacement is made
   * (docs/decisions/0009-held-back-failures.md).
   */
  readonly failedWithoutHeld: number;
  /** `failed` should the Job fail: with the Pods that are being deleted and have not ended (job-semantics 3.3 c). */
  readonly failedUponFailure: number;
  /** The same by the Pods' own facts alone. */
  readonly own: OwnTotals;
}

/** The Job's totals from its own counters and from its Pods, which come on separate streams. */
export function knownTotals(
  spec: JobSpec,
  reported: JobReported | undefined,
  tally: PodTally,
  tracking: Tracking,
  deletionsFail: DeletionsFail,
): KnownTotals {
  const own = ownTotals(spec, reported, tally, deletionsFail);
  if (tracking !== "tracked") {
    const { succeeded, failed } = untrackedCounts(reported, tally, own);
    const totals = { ...own, succeeded, failed, failedWithoutHeld: failed, failedUponFailure: failed, own };
    return spec.completionMode === "Indexed" ? { ...totals, ...indexTotals(spec, reported?.status, own) } : totals;
  }
  const failed = trackedCount("failed", reported, own);
  const failedUponFailure = Math.max(own.failed + tally.uponFailure, failed + uncountedUponFailure(reported, tally));
  if (spec.completionMode !== "Indexed") {
    const succeeded = trackedCount("succeeded", reported, own);
    return { ...own, succeeded, failed, failedWithoutHeld: failed, failedUponFailure, own };
  }
  const indexes = indexTotals(spec, reported?.status, own);
  const held = heldBackIndexes(spec, reported, tally, indexes);
  const failedWithoutHeld = trackedCount("failed", reported, own, held);
  return { ...indexes, failed, failedWithoutHeld, failedUponFailure, own };
}

/**
 * Pods that count as failed should the Job fail, and are in no counter and no list: their deletion came later than the
 * report.
 */
function uncountedUponFailure(reported: JobReported | undefined, { recentUponFailure, uponFailure }: PodTally): number {
  if (reported === undefined) return uponFailure;
  const { failed } = listsOf(reported);
  return recentUponFailure.filter((pod) => isLater(pod, reported) && !failed.has(pod.uid)).length;
}

/** The union of what is reported and what is known, within the Job's present size. */
function indexTotals(
  { completions = 0 }: JobSpec,
  reported: ReportedStatus | undefined,
  own: OwnTotals,
): Pick<KnownTotals, "succeeded" | "completedIndexes" | "failedIndexes"> {
  const completedIndexes = unionIndexes(
    parseIndexSet(reported?.completedIndexes ?? "", completions),
    own.completedIndexes,
  );
  const failedIndexes = unionIndexes(parseIndexSet(reported?.failedIndexes ?? "", completions), own.failedIndexes);
  // The counter speaks for the set only where the set's text was too long to keep; else the set is what upstream
  // counts.
  const unlisted = reported !== undefined && isSetCut(reported) ? Math.min(reported.succeeded ?? 0, completions) : 0;
  return { succeeded: Math.max(countIndexes(completedIndexes), unlisted), completedIndexes, failedIndexes };
}

/**
 * Counter, listed Pods, and Pods that are known to be in neither: their end was seen with the finalizer on, later than
 * the counter was written. The only place beside elastic-size.ts where orders of different resource types are compared:
 * both are revisions of one etcd.
 */
function trackedCount(
  ledger: "succeeded" | "failed",
  reported: JobReported | undefined,
  own: OwnTotals,
  held: IndexSet = NO_INDEXES,
): number {
  const without = own[ledger] - countIndexes(held);
  if (reported === undefined) return without;
  const { status } = reported;
  const uids = new Set<string>(status.uncounted?.[ledger]);
  const listed = uids.size + beyond(status.uncounted, ledger);
  const later = own.recent.filter((pod) => pod.ledger === ledger && pod.tracked && isLater(pod, reported));
  for (const { uid } of withoutHeld(later, held)) uids.add(uid);
  return Math.max(without, (status[ledger] ?? 0) + Math.max(listed, uids.size));
}

/** One Pod less for each index of which one is held back. */
function withoutHeld(pods: readonly CountedPod[], held: IndexSet): readonly CountedPod[] {
  const left = new Set<number>();
  return pods.filter(({ index, finalizerOffAt }) => {
    if (finalizerOffAt !== undefined || index === undefined || left.has(index) || !hasIndex(held, index)) return true;
    left.add(index);
    return false;
  });
}

function beyond(uncounted: UncountedPods | undefined, ledger: "succeeded" | "failed"): number {
  return (ledger === "succeeded" ? uncounted?.succeededBeyond : uncounted?.failedBeyond) ?? 0;
}

/**
 * The counters of an untracked Job count the Pods that exist: they fall when Pods go, and a Pod that flipped moves from
 * one to the other.
 */
function untrackedCounts(
  reported: JobReported | undefined,
  { flipped }: PodTally,
  own: OwnTotals,
): { readonly succeeded: number; readonly failed: number } {
  return {
    succeeded: Math.max(own.succeeded, (reported?.status.succeeded ?? 0) - flipped.failed),
    failed: Math.max(own.failed, (reported?.status.failed ?? 0) - flipped.succeeded),
  };
}

/** Compares a Job's order with a Pod's: only within one epoch, where both are revisions of one etcd. */
function isLater(a: Order, b: Order): boolean {
  return a.epoch === b.epoch && compareOrder(a, b) > 0;
}
