import type { JobReported } from "../model/fact.ts";
import { heldBackIndexes } from "./held-back.ts";
import { countIndexes, hasIndex, type IndexSet, NO_INDEXES, parseIndexSet, unionIndexes } from "./index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { isSetCut, listsOf, type OwnTotals, ownTotals, type OwnTotalsInput } from "./own-totals.ts";
import type { ReportedStatus, UncountedPods } from "../model/reported-status.ts";
import type { CountedPod, PodTally } from "./pod-tally.ts";
import type { Tracking } from "./tracking.ts";

/**
 * How many Pods are known to have ended, by any source. Never more than the true number
 * (docs/decisions/0008-known-totals.md).
 */
export interface KnownTotals {
  /** Indexed: the number of completed indexes. */
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: IndexSet;
  readonly failedIndexes: IndexSet;
  /**
   * `failed` as long as there is no verdict: without Pods that are held back until their replacement exists
   * (docs/decisions/0009-held-back-failures.md).
   */
  readonly failedWithoutHeld: number;
  /**
   * The value of `failed` once the Job fails. It also counts Pods that are being deleted and have not ended
   * (job-semantics 3.3 c).
   */
  readonly failedUponFailure: number;
  /** The same totals from the Pods' own facts alone. */
  readonly own: OwnTotals;
}

export interface KnownTotalsInput extends OwnTotalsInput {
  readonly tracking: Tracking;
}

/** The Job's totals from its own counters and from its Pods, which arrive in separate streams. */
export function knownTotals(input: KnownTotalsInput): KnownTotals {
  const own = ownTotals(input);
  return input.tracking === "tracked" ? trackedTotals(input, own) : untrackedTotals(input, own);
}

function untrackedTotals({ spec, reported, tally }: KnownTotalsInput, own: OwnTotals): KnownTotals {
  const { succeeded, failed } = untrackedCounts(reported, tally, own);
  const totals = { ...own, succeeded, failed, failedWithoutHeld: failed, failedUponFailure: failed, own };
  return spec.completionMode === "Indexed" ? { ...totals, ...indexTotals(spec, reported?.status, own) } : totals;
}

function trackedTotals({ spec, reported, tally }: KnownTotalsInput, own: OwnTotals): KnownTotals {
  const failed = trackedCount("failed", { reported, own });
  const failedUponFailure = Math.max(own.failed + tally.uponFailure, failed + uncountedUponFailure(reported, tally));
  if (spec.completionMode !== "Indexed") {
    const succeeded = trackedCount("succeeded", { reported, own });
    return { ...own, succeeded, failed, failedWithoutHeld: failed, failedUponFailure, own };
  }
  const indexes = indexTotals(spec, reported?.status, own);
  const held = heldBackIndexes({ spec, reported, tally, ...indexes });
  const failedWithoutHeld = trackedCount("failed", { reported, own, held });
  return { ...indexes, failed, failedWithoutHeld, failedUponFailure, own };
}

/**
 * How many Pods count as failed if the Job fails, and are in no counter and no list: their deletion is later than the
 * report.
 */
function uncountedUponFailure(reported: JobReported | undefined, { recentUponFailure, uponFailure }: PodTally): number {
  if (reported === undefined) return uponFailure;
  const { failed } = listsOf(reported);
  return recentUponFailure.filter((pod) => isLater(pod, reported) && !failed.has(pod.uid)).length;
}

/** The union of the reported indexes and the indexes from Pods' facts, within the Job's current size. */
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
  // Upstream counts the set. Only if the text of the set was too long to keep does its counter replace it.
  const unlisted = reported !== undefined && isSetCut(reported) ? Math.min(reported.succeeded ?? 0, completions) : 0;
  return { succeeded: Math.max(countIndexes(completedIndexes), unlisted), completedIndexes, failedIndexes };
}

interface TrackedCountInput {
  readonly reported: JobReported | undefined;
  readonly own: OwnTotals;
  /** One failed Pod of each of these indexes is left out. */
  readonly held?: IndexSet;
}

/**
 * The sum of counter, listed Pods, and Pods that are in neither, because they ended with the finalizer on and later
 * than the counter was written.
 *
 * Only this file and elastic-size.ts compare orders of different resource types: both are revisions of one etcd.
 */
function trackedCount(ledger: "succeeded" | "failed", { reported, own, held = NO_INDEXES }: TrackedCountInput): number {
  const ownCount = own[ledger] - countIndexes(held);
  if (reported === undefined) return ownCount;
  const { status } = reported;
  const uids = new Set<string>(status.uncounted?.[ledger]);
  const listed = uids.size + beyond(status.uncounted, ledger);
  const laterPods = own.recent.filter((pod) => pod.ledger === ledger && pod.tracked && isLater(pod, reported));
  for (const { uid } of withoutHeld(laterPods, held)) uids.add(uid);
  return Math.max(ownCount, (status[ledger] ?? 0) + Math.max(listed, uids.size));
}

/** The Pods without the first Pod of each index in `held`. */
function withoutHeld(pods: readonly CountedPod[], held: IndexSet): readonly CountedPod[] {
  const leftOut = new Set<number>();
  return pods.filter(({ index, finalizerOffAt }) => {
    if (finalizerOffAt !== undefined || index === undefined) return true;
    if (leftOut.has(index) || !hasIndex(held, index)) return true;
    leftOut.add(index);
    return false;
  });
}

function beyond(uncounted: UncountedPods | undefined, ledger: "succeeded" | "failed"): number {
  return (ledger === "succeeded" ? uncounted?.succeededBeyond : uncounted?.failedBeyond) ?? 0;
}

/**
 * The counters of an untracked Job count the Pods that exist. They decrease when Pods are deleted, and a Pod that
 * changed its terminal phase moves from one counter to the other.
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
