import {
  cutIndexes,
  countIndexes,
  fromIntervals,
  type IndexSet,
  intersectIndexes,
  type Interval,
  NO_INDEXES,
  parseIndexSet,
  unionIndexes,
} from "./index-set.ts";
import { addBags, bagOf, type IndexBag, indexesOf } from "./index-bag.ts";
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
  /** `failed` should the Job fail: with the Pods that are being deleted and have not ended (job-semantics 3.3 c). */
  readonly failedUponFailure: number;
  /** The same by the Pods' own facts alone, the uncounted lists heeded. */
  readonly own: Omit<KnownTotals, "own" | "failedUponFailure">;
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
  const counted = tracking === "tracked" ? trackedCounts(reported, own) : untrackedCounts(reported, tally, own);
  const failedUponFailure = Math.max(own.failed + tally.uponFailure, counted.failed + uncountedDoomed(reported, tally));
  const totals = { ...own, ...counted, failedUponFailure, own };
  return spec.completionMode === "Indexed" ? { ...totals, ...indexTotals(spec, reported?.status, own) } : totals;
}

/** Pods that count as failed should the Job fail, and are in no counter and no list: their deletion came later than the report. */
function uncountedDoomed(reported: JobReported | undefined, { doomed, uponFailure }: PodTally): number {
  if (reported === undefined) return uponFailure;
  const { failed } = listsOf(reported);
  return doomed.filter((pod) => isLater(pod, reported) && !failed.has(pod.uid)).length;
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
  const unlisted = reported !== undefined && isSetCut(reported) ? Math.min(reported.succeeded ?? 0, completions) : 0;
  return { succeeded: Math.max(countIndexes(completedIndexes), unlisted), completedIndexes, failedIndexes };
}

/** Which indexes failed because a Pod of theirs was deleted before it ended: all, none, or, of a Job that is bound to fail, those from before it was. */
export type DeletionsFail = "all" | "none" | "before failure";

interface OwnTotals extends Omit<KnownTotals, "own" | "failedUponFailure"> {
  /** The latest counted Pods with the class they are listed with, without those that a success made void. */
  readonly recent: readonly CountedPod[];
}

/** What the last report says of single Pods. A uid listed as failed stays failed, whatever its Pod shows later; and the other way round (job-semantics 3.1). */
interface Lists {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

function listsOf(reported: JobReported | undefined): Lists {
  const { succeeded, failed } = reported?.status.uncounted ?? {};
  return { succeeded: new Set(succeeded), failed: new Set(failed) };
}

function isListed({ succeeded, failed }: Lists, { uid }: CountedPod): boolean {
  return succeeded.has(uid) || failed.has(uid);
}

function ownTotals(
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

/** Pods without their finalizer that the report's counters need not have: it went later than the report was written, or they are listed, or void. Each once. */
function uncoveredOf(
  reported: JobReported,
  lists: Lists,
  pods: readonly CountedPod[],
  voids: ReadonlySet<string>,
): readonly CountedPod[] {
  return pods.filter(
    (pod) =>
      pod.off !== undefined && (voids.has(pod.uid) || isListed(lists, pod) || compareOrder(pod.off, reported) >= 0),
  );
}

/**
 * How many Pods were never counted, though they ended with the finalizer on. The controller takes a finalizer off only once the Pod is on a list or in the index set, so
 * a later report has it in its counter. Where there are more such Pods than the counter has, somebody else took finalizers off, or they count as something else.
 * A status without the lists was never written by a controller that takes finalizers off, and says nothing of it.
 */
function neverCounted(
  reported: JobReported | undefined,
  { off }: PodTally,
  uncovered: readonly CountedPod[],
): { readonly succeeded: number; readonly failed: number } {
  if (reported === undefined) return { succeeded: 0, failed: 0 };
  const beyondCounter = (ledger: "succeeded" | "failed"): number => {
    const covered = off[ledger] - uncovered.filter((pod) => pod.ledger === ledger).length;
    return Math.max(0, covered - (reported.status[ledger] ?? 0));
  };
  return { succeeded: beyondCounter("succeeded"), failed: beyondCounter("failed") };
}

/** The same for an Indexed Job, index by index: what succeeded is completed unless the report covers each success of the index and does not have it. */
function ownIndexes(
  spec: JobSpec,
  reported: JobReported | undefined,
  completed: IndexBag,
  { completedOff }: PodTally,
  uncovered: readonly CountedPod[],
): IndexSet {
  const size = sizeOf(spec);
  const all = cutIndexes(indexesOf(completed), size);
  if (size === 0 || reported === undefined || isSetCut(reported.status)) return all;
  const covered = addBags(completedOff, bagOf(indexesIn(uncovered.filter(({ ledger }) => ledger === "succeeded"))), -1);
  const open = cutIndexes(indexesOf(addBags(completed, covered, -1)), size);
  return unionIndexes(open, intersectIndexes(all, parseIndexSet(reported.status.completedIndexes ?? "", size)));
}

/** The text of the index set was too long to keep. */
function isSetCut({ truncated, completedIndexes }: ReportedStatus): boolean {
  return truncated === true && completedIndexes === undefined;
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
