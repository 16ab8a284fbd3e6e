import { trueCondition } from "../status/conditions.ts";
import type { JobReported } from "../model/fact.ts";
import { addBags, bagOf, type IndexBag, indexesOf } from "./index-bag.ts";
import {
  countIndexes,
  cutIndexes,
  fromIntervals,
  type IndexSet,
  intersectIndexes,
  type Interval,
  NO_INDEXES,
  parseIndexSet,
  unionIndexes,
} from "./index-set.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { compareOrder, type Order } from "../model/order.ts";
import type { ReportedStatus } from "../model/reported-status.ts";
import { matchSuccessPolicy } from "../status/success-policy.ts";
import type { CountedPod, IndexSuccess, PodTally } from "./pod-tally.ts";

/**
 * Whether an index fails because a Pod of it was deleted before it ended: always, never, or, for a Job that is bound to
 * fail, only if that deletion precedes the failure.
 */
export type DeletionsFail = "all" | "none" | "before failure";

/**
 * The totals by the Pods' own facts, corrected by the last report: by its lists, and by Pods that it proves uncounted.
 */
export interface OwnTotals {
  /** Indexed: the number of completed indexes. */
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: IndexSet;
  readonly failedIndexes: IndexSet;
  /** Pods that are left out because a report covers them and no counter of their class includes them. */
  readonly neverCounted: number;
  /** The latest counted Pods with the class they are listed with, without those that a success made void. */
  readonly recent: readonly CountedPod[];
}

export interface OwnTotalsInput {
  readonly spec: JobSpec;
  readonly reported: JobReported | undefined;
  readonly tally: PodTally;
  readonly deletionsFail: DeletionsFail;
}

/**
 * The Pods that the last report lists by uid. A uid that is listed as failed stays failed, and one that is listed as
 * succeeded stays succeeded, whatever its Pod reports later (job-semantics 3.1).
 */
export interface Lists {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

export function listsOf(reported: JobReported | undefined): Lists {
  const { succeeded, failed } = reported?.status.uncounted ?? {};
  return { succeeded: new Set(succeeded), failed: new Set(failed) };
}

export function isListed({ succeeded, failed }: Lists, { uid }: CountedPod): boolean {
  return succeeded.has(uid) || failed.has(uid);
}

export function ownTotals({ spec, reported, tally, deletionsFail }: OwnTotalsInput): OwnTotals {
  const lists = listsOf(reported);
  const voided = voidedBySuccess(spec, reported, tally).filter((pod) => !isListed(lists, pod));
  const voids = new Set(voided.map(({ uid }) => uid));
  const recent = tally.recent.filter(({ uid }) => !voids.has(uid));
  const moved = recent.filter(({ uid, ledger }) => lists[ledger === "succeeded" ? "failed" : "succeeded"].has(uid));
  const toFailed = moved.filter(({ ledger }) => ledger === "succeeded");
  const toSucceeded = moved.length - toFailed.length;
  const covering = reported?.status.uncounted === undefined ? undefined : reported;
  const uncovered =
    covering === undefined
      ? []
      : [...recent, ...voided].filter((pod) => isUncovered(pod, { reported: covering, lists, voids }));
  const never = neverCounted(covering, tally, uncovered);
  const completed = addBags(tally.completed, bagOf(indexesIn(toFailed)), -1);
  const completedIndexes = ownIndexes(completed, { spec, reported: covering, tally, uncovered });
  const failedIndexes = unionIndexes(
    indexesOf(tally.failedIndexes),
    deletionsFail === "none" ? NO_INDEXES : indexesFailedByDeletion(tally, voids, deletionsFail === "before failure"),
  );
  const { ledgers } = tally;
  const failed = ledgers.failed + toFailed.length - toSucceeded - voids.size - never.failed;
  const succeeded = ledgers.succeeded - toFailed.length + toSucceeded - never.succeeded;
  return {
    succeeded: spec.completionMode === "Indexed" ? countIndexes(completedIndexes) : Math.max(0, succeeded),
    failed: Math.max(0, failed),
    completedIndexes,
    failedIndexes: cutIndexes(failedIndexes, sizeOf(spec)),
    neverCounted: never.succeeded + never.failed,
    recent: recent.map((pod) => (moved.includes(pod) ? { ...pod, ledger: other(pod.ledger) } : pod)),
  };
}

function other(ledger: CountedPod["ledger"]): CountedPod["ledger"] {
  return ledger === "succeeded" ? "failed" : "succeeded";
}

function indexesIn(pods: readonly CountedPod[]): readonly number[] {
  return pods.flatMap(({ index }) => (index === undefined ? [] : [index]));
}

/** The size of an Indexed Job. */
function sizeOf({ completionMode, completions = 0 }: JobSpec): number {
  return completionMode === "Indexed" ? completions : 0;
}

interface Coverage {
  readonly reported: JobReported;
  readonly lists: Lists;
  readonly voids: ReadonlySet<string>;
}

/**
 * Whether the counters of the report may lack a Pod without its finalizer: the finalizer was removed after the report
 * was written, or the Pod is listed or void.
 */
function isUncovered(pod: CountedPod, { reported, lists, voids }: Coverage): boolean {
  if (pod.finalizerOffAt === undefined) return false;
  if (voids.has(pod.uid) || isListed(lists, pod)) return true;
  return compareOrder(pod.finalizerOffAt, reported) >= 0;
}

/**
 * How many Pods were never counted, although they ended with the finalizer on. The controller removes a finalizer only
 * after it has put the Pod on a list or into the index set, so a later report includes the Pod in its counter.
 *
 * If there are more such Pods than the counter says, another client removed finalizers, or some Pods count as the other
 * class. A status without the lists was not written by a controller that removes finalizers, so it is no proof.
 */
function neverCounted(
  reported: JobReported | undefined,
  { finalizerOff }: PodTally,
  uncovered: readonly CountedPod[],
): { readonly succeeded: number; readonly failed: number } {
  if (reported === undefined) return { succeeded: 0, failed: 0 };
  const beyondCounter = (ledger: "succeeded" | "failed"): number => {
    const covered = finalizerOff[ledger] - uncovered.filter((pod) => pod.ledger === ledger).length;
    return Math.max(0, covered - (reported.status[ledger] ?? 0));
  };
  return { succeeded: beyondCounter("succeeded"), failed: beyondCounter("failed") };
}

interface CoveredPods {
  readonly spec: JobSpec;
  readonly reported: JobReported | undefined;
  readonly tally: PodTally;
  readonly uncovered: readonly CountedPod[];
}

/**
 * The same for each index of an Indexed Job. An index with a success is completed, unless the report covers every
 * success of the index and does not include the index.
 */
function ownIndexes(completed: IndexBag, { spec, reported, tally, uncovered }: CoveredPods): IndexSet {
  const size = sizeOf(spec);
  const all = cutIndexes(indexesOf(completed), size);
  if (size === 0 || reported === undefined || isSetCut(reported.status)) return all;
  const uncoveredIndexes = indexesIn(uncovered.filter(({ ledger }) => ledger === "succeeded"));
  const covered = addBags(tally.completedFinalizerOff, bagOf(uncoveredIndexes), -1);
  const open = cutIndexes(indexesOf(addBags(completed, covered, -1)), size);
  return unionIndexes(open, intersectIndexes(all, parseIndexSet(reported.status.completedIndexes ?? "", size)));
}

/** The text of the index set was too long to keep. */
export function isSetCut({ truncated, completedIndexes }: ReportedStatus): boolean {
  return truncated === true && completedIndexes === undefined;
}

/**
 * Indexes that failed because a Pod of the index was deleted before it ended. If the Job has failed, only deletions
 * before its last failed Pod count: later ones are the controller's own, and its failed indexes are settled by then.
 */
function indexesFailedByDeletion(
  { deletions, recent }: PodTally,
  voids: ReadonlySet<string>,
  hasFailed: boolean,
): IndexSet {
  const last = hasFailed ? lastFailure(recent) : undefined;
  const failed = deletions.flatMap((pod): Interval[] => {
    if (pod.indexFailed !== true || pod.index === undefined || voids.has(pod.uid)) return [];
    if (hasFailed && (last === undefined || compareOrder(pod, last) > 0)) return [];
    return [[pod.index, pod.index]];
  });
  return fromIntervals(failed);
}

/** The last Pod that failed without being deleted. */
function lastFailure(recent: readonly CountedPod[]): CountedPod | undefined {
  const failed = recent.filter(({ ledger, deletion }) => ledger === "failed" && deletion === undefined);
  return failed.reduce<CountedPod | undefined>(
    (last, pod) => (last === undefined || compareOrder(pod, last) > 0 ? pod : last),
    undefined,
  );
}

/** Pods that are void because they were deleted after a success policy was met (job-semantics 3.3 d, 14). */
function voidedBySuccess(spec: JobSpec, reported: JobReported | undefined, tally: PodTally): readonly CountedPod[] {
  if (spec.successPolicy === undefined || tally.deletions.length === 0) return [];
  const met = successOrder(spec, tally.indexSuccesses);
  const conditions = reported?.status.conditions ?? [];
  // A written verdict is final. If it is a failure, the Pods were deleted because of it, and count.
  if (trueCondition(conditions, "FailureTarget") !== undefined) return [];
  if (met === undefined && trueCondition(conditions, "SuccessCriteriaMet") === undefined) return [];
  return tally.deletions.filter((pod) => met === undefined || compareOrder(pod, met) > 0);
}

/** The order of the success with which the success policy was first met. */
function successOrder({ successPolicy, completions }: JobSpec, successes: readonly IndexSuccess[]): Order | undefined {
  let completed: IndexSet = NO_INDEXES;
  for (const success of successes) {
    completed = fromIntervals([...completed, [success.index, success.index]]);
    if (matchSuccessPolicy(successPolicy, completed, completions ?? 0) !== undefined) return success;
  }
  return undefined;
}
