import {
  cutIndexes,
  countIndexes,
  fromIntervals,
  type IndexSet,
  type Interval,
  NO_INDEXES,
  parseIndexSet,
  unionIndexes,
} from "./index-set.ts";
import { indexesOf, addBags, bagOf } from "./index-bag.ts";
import type { JobReported } from "./fact.ts";
import type { JobSpec } from "./job-spec.ts";
import { compareOrder, type Order } from "./order.ts";
import type { ReportedStatus, UncountedPods } from "./reported-status.ts";
import { matchSuccessPolicy } from "./success-policy.ts";
import type { CountedPod, IndexSuccess, PodTally } from "./tally.ts";
import type { Tracking } from "./tracking.ts";

/** What is known to have come of the Job's Pods, whoever says so: never more than there truly was (docs/decisions/0010-known-totals.md). */
export interface KnownTotals {
  /** Indexed: the number of completed indexes. */
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: IndexSet;
  readonly failedIndexes: IndexSet;
  /** The same by the Pods' own facts alone, the uncounted lists heeded. */
  readonly own: Omit<KnownTotals, "own">;
}

/** The Job's totals from its own counters and from its Pods, which come on separate streams. */
export function knownTotals(
  spec: JobSpec,
  reported: JobReported | undefined,
  tally: PodTally,
  tracking: Tracking,
  failedByDeletion: IndexSet = NO_INDEXES,
): KnownTotals {
  const own = ownTotals(spec, reported, tally, failedByDeletion);
  const counted = tracking === "tracked" ? trackedCounts(reported, own) : untrackedCounts(reported, tally, own);
  if (spec.completionMode !== "Indexed") return { ...own, ...counted, own };
  return { ...indexTotals(spec, reported?.status, own), failed: counted.failed, own };
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
  // The counter speaks for the set only where the set's text was too long to keep; else the set is what upstream counts.
  const isCut = reported?.truncated === true && reported.completedIndexes === undefined;
  const unlisted = isCut ? Math.min(reported.succeeded ?? 0, completions) : 0;
  return { succeeded: Math.max(countIndexes(completedIndexes), unlisted), completedIndexes, failedIndexes };
}

interface OwnTotals extends Omit<KnownTotals, "own"> {
  /** The latest counted Pods with the class they are listed with, without those that a success made void. */
  readonly recent: readonly CountedPod[];
}

/** A uid listed as failed stays failed, whatever its Pod shows later; and the other way round (job-semantics 3.1). */
function ownTotals(
  spec: JobSpec,
  reported: JobReported | undefined,
  tally: PodTally,
  failedByDeletion: IndexSet,
): OwnTotals {
  const voided = new Set(
    [...voidedBySuccess(spec, reported, tally), ...settledContests(reported, tally)].map(({ uid }) => uid),
  );
  const listedFailed = new Set(reported?.status.uncounted?.failed);
  const listedSucceeded = new Set(reported?.status.uncounted?.succeeded);
  const moved: CountedPod[] = [];
  const recent = tally.recent
    .filter(({ uid }) => !voided.has(uid) || listedFailed.has(uid) || listedSucceeded.has(uid))
    .map((pod): CountedPod => {
      const asListed = pod.ledger === "succeeded" ? listedFailed.has(pod.uid) : listedSucceeded.has(pod.uid);
      if (!asListed) return pod;
      moved.push(pod);
      return { ...pod, ledger: pod.ledger === "succeeded" ? "failed" : "succeeded" };
    });
  const toFailed = moved.filter(({ ledger }) => ledger === "succeeded");
  const toSucceeded = moved.length - toFailed.length;
  const lost = bagOf(toFailed.flatMap(({ index }) => (index === undefined ? [] : [index])));
  const voids = [...voided].filter((uid) => !listedFailed.has(uid) && !listedSucceeded.has(uid)).length;
  const completions = spec.completionMode === "Indexed" ? (spec.completions ?? 0) : 0;
  const completedIndexes = cutIndexes(indexesOf(addBags(tally.completed, lost, -1)), completions);
  const succeeded = tally.ledgers.succeeded - toFailed.length + toSucceeded;
  return {
    succeeded: spec.completionMode === "Indexed" ? countIndexes(completedIndexes) : succeeded,
    failed: tally.ledgers.failed + toFailed.length - toSucceeded - voids,
    completedIndexes,
    failedIndexes: cutIndexes(unionIndexes(indexesOf(tally.failedIndexes), failedByDeletion), completions),
    recent,
  };
}

/**
 * Counter, listed Pods, and Pods that are known to be in neither: their end was seen with the finalizer on, later than the counter was written. The only
 * place beside elastic-size.ts where orders of different resource types are compared: both are revisions of one etcd.
 */
function trackedCounts(
  reported: JobReported | undefined,
  own: OwnTotals,
): { readonly succeeded: number; readonly failed: number } {
  if (reported === undefined) return own;
  const { status } = reported;
  const later = own.recent.filter((pod) => pod.tracked && isLater(pod, reported));
  const uncounted = (ledger: "succeeded" | "failed"): number => {
    const uids = new Set<string>(status.uncounted?.[ledger]);
    const listed = uids.size + beyond(status.uncounted, ledger);
    for (const pod of later) if (pod.ledger === ledger) uids.add(pod.uid);
    return Math.max(listed, uids.size);
  };
  return {
    succeeded: Math.max(own.succeeded, (status.succeeded ?? 0) + uncounted("succeeded")),
    failed: Math.max(own.failed, (status.failed ?? 0) + uncounted("failed")),
  };
}

function beyond(uncounted: UncountedPods | undefined, ledger: "succeeded" | "failed"): number {
  return (ledger === "succeeded" ? uncounted?.succeededBeyond : uncounted?.failedBeyond) ?? 0;
}

/** The counters of an untracked Job count the Pods that exist: they fall when Pods go, and a Pod that flipped moves from one to the other. */
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

/**
 * Indexes that failed because a Pod of theirs was deleted before it ended. Once the Job has failed by what ended, only those from before
 * the last of it: the controller deletes what is still active, and has its failed indexes by then.
 */
export function indexesFailedByDeletion({ deletions, recent }: PodTally, hasFailed: boolean): IndexSet {
  const last = recent.find(({ ledger, deletion }) => ledger === "failed" && deletion === undefined);
  const failed = deletions.flatMap((pod): Interval[] => {
    if (pod.indexFailed !== true || pod.index === undefined) return [];
    if (hasFailed && (last === undefined || compareOrder(pod, last) > 0)) return [];
    return [[pod.index, pod.index]];
  });
  return fromIntervals(failed);
}

/** Pods that count because they were deleted, but were deleted because a success policy was met: void (job-semantics 3.3 d, 14). */
function voidedBySuccess(spec: JobSpec, reported: JobReported | undefined, tally: PodTally): readonly CountedPod[] {
  if (spec.successPolicy === undefined || tally.deletions.length === 0) return [];
  const met = successOrder(spec, tally.indexSuccesses);
  const isReported = reported?.status.conditions.some(
    ({ type, status }) => type === "SuccessCriteriaMet" && status === "True",
  );
  if (met === undefined && isReported !== true) return [];
  return tally.deletions.filter((pod) => met === undefined || compareOrder(pod, met) > 0);
}

/** Contested Pods that the report covers: it was written after their finalizer was off, so they are in its counters or lists, as whatever they count. */
function settledContests(reported: JobReported | undefined, { deletions }: PodTally): readonly CountedPod[] {
  return deletions.filter(
    ({ contested }) => contested !== undefined && reported !== undefined && isLater(reported, contested),
  );
}

/** Compares a Job's order with a Pod's: only within one epoch, where both are revisions of one etcd. */
function isLater(a: Order, b: Order): boolean {
  return a.epoch === b.epoch && compareOrder(a, b) > 0;
}

/** Where among the Pods' facts the success policy was first met. */
function successOrder({ successPolicy, completions }: JobSpec, successes: readonly IndexSuccess[]): Order | undefined {
  let completed: IndexSet = NO_INDEXES;
  for (const success of successes) {
    completed = fromIntervals([...completed, [success.index, success.index]]);
    if (matchSuccessPolicy(successPolicy, completed, completions ?? 0) !== undefined) return success;
  }
  return undefined;
}
