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
 * Which indexes failed because a Pod of theirs was deleted before it ended: all, none, or, of a Job that is bound to
 * fail, those from before it was.
 */
export type DeletionsFail = "all" | "none" | "before failure";

/**
 * What the Pods' own facts come to, the last report heeded: what it lists, and what it proves to be counted by nobody.
 */
export interface OwnTotals {
  /** Indexed: the number of completed indexes. */
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: IndexSet;
  readonly failedIndexes: IndexSet;
  /** Pods that are left out because a report covers them and no counter of their class has them. */
  readonly neverCounted: number;
  /** The latest counted Pods with the class they are listed with, without those that a success made void. */
  readonly recent: readonly CountedPod[];
}

/**
 * What the last report says of single Pods. A uid listed as failed stays failed, whatever its Pod shows later; and the
 * other way round (job-semantics 3.1).
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

export function ownTotals(
  spec: JobSpec,
  reported: JobReported | undefined,
  tally: PodTally,
  deletionsFail: DeletionsFail,
): OwnTotals {
  const lists = listsOf(reported);
  const voided = voidedBySuccess(spec, reported, tally).filter((pod) => !isListed(lists, pod));
  const voids = new Set(voided.map(({ uid }) => uid));
  const recent = tally.recent.filter(({ uid }) => !voids.has(uid));
  const moved = recent.filter(({ uid, ledger }) => lists[ledger === "succeeded" ? "failed" : "succeeded"].has(uid));
  const toFailed = moved.filter(({ ledger }) => ledger === "succeeded");
  const toSucceeded = moved.length - toFailed.length;
  const covering = reported?.status.uncounted === undefined ? undefined : reported;
  const uncovered = covering === undefined ? [] : uncoveredOf(covering, lists, [...recent, ...voided], voids);
  const never = neverCounted(covering, tally, uncovered);
  const completed = addBags(tally.completed, bagOf(indexesIn(toFailed)), -1);
  const completedIndexes = ownIndexes(spec, covering, completed, tally, uncovered);
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

/**
 * Pods without their finalizer that the report's counters need not have: it went later than the report was written, or
 * they are listed, or void. Each once.
 */
function uncoveredOf(
  reported: JobReported,
  lists: Lists,
  pods: readonly CountedPod[],
  voids: ReadonlySet<string>,
): readonly CountedPod[] {
  return pods.filter(
    (pod) =>
      pod.finalizerOffAt !== undefined &&
      (voids.has(pod.uid) || isListed(lists, pod) || compareOrder(pod.finalizerOffAt, reported) >= 0),
  );
}

/**
 * How many Pods were never counted, though they ended with the finalizer on. The controller takes a finalizer off only
 * once the Pod is on a list or in the index set, so a later report has it in its counter. Where there are more such
 * Pods than the counter has, somebody else took finalizers off, or they count as something else. A status without the
 * lists was never written by a controller that takes finalizers off, and says nothing of it.
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

/**
 * The same for an Indexed Job, index by index: what succeeded is completed unless the report covers each success of the
 * index and does not have it.
 */
function ownIndexes(
  spec: JobSpec,
  reported: JobReported | undefined,
  completed: IndexBag,
  { completedFinalizerOff }: PodTally,
  uncovered: readonly CountedPod[],
): IndexSet {
  const size = sizeOf(spec);
  const all = cutIndexes(indexesOf(completed), size);
  if (size === 0 || reported === undefined || isSetCut(reported.status)) return all;
  const covered = addBags(
    completedFinalizerOff,
    bagOf(indexesIn(uncovered.filter(({ ledger }) => ledger === "succeeded"))),
    -1,
  );
  const open = cutIndexes(indexesOf(addBags(completed, covered, -1)), size);
  return unionIndexes(open, intersectIndexes(all, parseIndexSet(reported.status.completedIndexes ?? "", size)));
}

/** The text of the index set was too long to keep. */
export function isSetCut({ truncated, completedIndexes }: ReportedStatus): boolean {
  return truncated === true && completedIndexes === undefined;
}

/**
 * Indexes that failed because a Pod of theirs was deleted before it ended. Once the Job has failed by what ended, only
 * those from before the last of it: the controller deletes what is still active, and has its failed indexes by then.
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

/** The last Pod that failed by itself. */
function lastFailure(recent: readonly CountedPod[]): CountedPod | undefined {
  const failed = recent.filter(({ ledger, deletion }) => ledger === "failed" && deletion === undefined);
  return failed.reduce<CountedPod | undefined>(
    (last, pod) => (last === undefined || compareOrder(pod, last) > 0 ? pod : last),
    undefined,
  );
}

/**
 * Pods that count because they were deleted, but were deleted because a success policy was met: void (job-semantics 3.3
 * d, 14).
 */
function voidedBySuccess(spec: JobSpec, reported: JobReported | undefined, tally: PodTally): readonly CountedPod[] {
  if (spec.successPolicy === undefined || tally.deletions.length === 0) return [];
  const met = successOrder(spec, tally.indexSuccesses);
  const conditions = reported?.status.conditions ?? [];
  // A verdict that was written stays: where it is a failure, the Pods were deleted for that, and count.
  if (trueCondition(conditions, "FailureTarget") !== undefined) return [];
  if (met === undefined && trueCondition(conditions, "SuccessCriteriaMet") === undefined) return [];
  return tally.deletions.filter((pod) => met === undefined || compareOrder(pod, met) > 0);
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
