import type { ClusterContext } from "../model/cluster-context.ts";
import { trueCondition } from "./conditions.ts";
import { indexesOf } from "../accounting/index-bag.ts";
import { countIndexes, type IndexSet, parseIndexSet, unionIndexes, withoutIndexes } from "../accounting/index-set.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { KnownTotals } from "../accounting/known-totals.ts";
import type { ReportedStatus } from "../model/reported-status.ts";
import type { UnseenJob } from "../model/unseen-job.ts";
import type { DerivedStatus } from "./status.ts";
import type { PodTally } from "../accounting/pod-tally.ts";
import { reportedTotal } from "../accounting/reported-total.ts";
import type { Tracking } from "../accounting/tracking.ts";

/** How much of the Job's life was observed. */
export type Completeness =
  | { readonly level: "complete" | "reconciled" | "gaps"; readonly gaps: readonly Gap[] }
  /** The cluster has been silent since `heardAt`, and the Job may have changed since. */
  | { readonly level: "stale"; readonly gaps: readonly Gap[]; readonly heardAt: Instant };

/** A part of the Job's life that was not observed. It contains no text, except the reason of a recorded gap. */
export type Gap =
  | {
      readonly gap: "recorded";
      readonly from: Instant;
      readonly to: Instant;
      readonly resources: readonly string[];
      readonly reason: string;
    }
  /** Pods may have ended before the Job was first observed. */
  | { readonly gap: "beforeFirstObservation"; readonly from?: Instant; readonly to: Instant; readonly forgets: boolean }
  | { readonly gap: "jobNotObserved" }
  /** The Job was not observed; its name is taken from the name of a Pod. */
  | { readonly gap: "nameReadFromPod"; readonly pod: string; readonly mayGoOn: boolean }
  | { readonly gap: "endsNotObserved"; readonly pods: number }
  | { readonly gap: "podsObservedInPart"; readonly pods: number }
  | { readonly gap: "jobTruncated" };

type RecordedGap = Extract<Gap, { readonly gap: "recorded" }>;

/** What completeness is derived from. */
export interface CompletenessInput {
  readonly job: JobObject;
  readonly tally: PodTally;
  readonly derived: DerivedStatus;
  readonly gaps: ClusterContext["gaps"];
  readonly unseen: UnseenJob | undefined;
  readonly now: Instant;
}

/**
 * How much of the Job's life was observed, and whether its own counters make up for the rest
 * (docs/decisions/0010-completeness.md).
 */
export function completenessOf(input: CompletenessInput): Completeness {
  const { job, tally, derived, unseen } = input;
  const gaps: readonly Gap[] = [
    ...recordedGaps(input),
    ...gapBeforeFirstObservation(job, derived),
    ...gapOfUnseenJob(job, tally),
    ...gapOfUnseenPods(input),
    ...gapOfLatePods(tally),
    ...gapsOfTruncation(job),
  ];
  if (unseen?.named !== undefined) {
    const { pod, mayGoOn } = unseen.named;
    return { level: "gaps", gaps: [...gaps, { gap: "nameReadFromPod", pod, mayGoOn }] };
  }
  if (gaps.length === 0) return { level: "complete", gaps };
  return { level: isReconciled(job, tally, derived) ? "reconciled" : "gaps", gaps };
}

export function staleSince({ gaps }: Completeness, heardAt: Instant): Completeness {
  return { level: "stale", gaps, heardAt };
}

/** The cluster's gap records that overlap the Job's life. */
function recordedGaps({ job, tally, gaps, now }: CompletenessInput): readonly Gap[] {
  const from = job.created?.createdAt ?? -Infinity;
  const to = endOfLife(job, tally) ?? now;
  return recordedGapsIn(gaps, { from, to });
}

/** A time, and the resources besides Jobs and Pods of which a gap matters in it. */
export interface ObservedLife {
  readonly from: Instant;
  readonly to: Instant;
  /** @default none */
  readonly resources?: readonly string[];
}

/** The gaps that may hide Pods or Jobs in this time, or other objects that matter, in their order. */
export function recordedGapsIn(
  gaps: ClusterContext["gaps"],
  { from, to, resources: others = [] }: ObservedLife,
): readonly RecordedGap[] {
  const concerns = (resources: readonly string[]): boolean =>
    concernsJobs(resources) || resources.some((resource) => others.includes(resource));
  return gaps
    .filter((gap) => gap.from <= to && gap.to >= from && concerns(gap.resources))
    .sort((a, b) => a.from - b.from || (a.gapId < b.gapId ? -1 : 1))
    .map((gap) => ({
      gap: "recorded",
      from: gap.from,
      to: gap.to,
      resources: gap.resources,
      reason: gap.reason,
    }));
}

/**
 * The Job's reported end or, without one, its removal, unless there are Pods without a known end. With background
 * deletion, a Job is removed before its Pods, so a gap that hides their ends comes later.
 */
function endOfLife({ complete, failed, deleted, vanished }: JobObject, { outcomes }: PodTally): Instant | undefined {
  const end = complete ?? failed;
  if (end !== undefined) return end.at;
  return outcomes.Active + outcomes.Terminating + outcomes.Unknown > 0 ? undefined : (deleted ?? vanished)?.at;
}

/** Whether a gap may hide a Pod or a Job. A gap for Nodes or CronJobs does not. */
export function concernsJobs(resources: readonly string[]): boolean {
  return (
    resources.length === 0 || resources.some((resource) => /^(pods?|jobs?|\*)$/i.test(resource.split(".")[0] ?? ""))
  );
}

/** The status at the first observation counts Pods that ended earlier. */
function gapBeforeFirstObservation({ firstReported, created }: JobObject, { tracking }: DerivedStatus): readonly Gap[] {
  if (firstReported === undefined || isFresh(firstReported.status, tracking)) return [];
  const from = created === undefined ? {} : { from: created.createdAt };
  return [{ gap: "beforeFirstObservation", ...from, to: firstReported.at, forgets: tracking === "untracked" }];
}

/** Whether no Pod had ended. An untracked Job, which forgets Pods that are gone, must not have started either. */
function isFresh(status: ReportedStatus, tracking: Tracking): boolean {
  const { completedIndexes = "", failedIndexes = "", conditions, startTime } = status;
  const hasEnded = trueCondition(conditions, "Complete") ?? trueCondition(conditions, "Failed");
  const hasCounted =
    reportedTotal(status, "succeeded") + reportedTotal(status, "failed") > 0 || completedIndexes + failedIndexes !== "";
  return !hasCounted && hasEnded === undefined && (tracking !== "untracked" || startTime === undefined);
}

/** Pods were observed, but not their Job. */
function gapOfUnseenJob({ created }: JobObject, { outcomes }: PodTally): readonly Gap[] {
  if (created !== undefined || Object.values(outcomes).every((count) => count === 0)) return [];
  return [{ gap: "jobNotObserved" }];
}

/** The Job's own counters include Pods whose end was not observed. */
function gapOfUnseenPods({ job, tally, derived, now }: CompletenessInput): readonly Gap[] {
  const pods = isAheadOfPods(job, now) ? 0 : unseenEnds(job, tally, derived);
  return pods === 0 ? [] : [{ gap: "endsNotObserved", pods }];
}

/** How far two watch streams of one cluster may be apart without a gap. */
const LAG_MS = 10_000;

/** A recent report about an unfinished Job may be ahead of the stream of its Pods. */
function isAheadOfPods({ reported, complete, failed, deleted, vanished }: JobObject, now: Instant): boolean {
  if ((complete ?? failed ?? deleted ?? vanished) !== undefined) return false;
  return reported !== undefined && now - reported.at < LAG_MS;
}

function unseenEnds(job: JobObject, tally: PodTally, { tracking, totals }: DerivedStatus): number {
  const { reported } = job;
  if (reported === undefined || totals === undefined) return 0;
  return tracking === "tracked"
    ? unseenOfTracked(reported.status, tally, totals)
    : unseenOfUntracked(reported.status, totals, { ...tally, hasFailed: job.failed !== undefined });
}

/**
 * When a controller without finalizers fails a Job, it counts the Pods that it deletes at that moment as failed,
 * however they end.
 */
function unseenOfUntracked(
  status: ReportedStatus,
  { own }: KnownTotals,
  { flipped, ledgers, succeededAfterDeletion, hasFailed }: PodTally & { readonly hasFailed: boolean },
): number {
  const givenUp = hasFailed ? ledgers.open + succeededAfterDeletion : 0;
  const succeeded = (status.succeeded ?? 0) - flipped.failed - own.succeeded;
  const failed = (status.failed ?? 0) - flipped.succeeded - own.failed - givenUp;
  return Math.max(0, succeeded) + Math.max(0, failed);
}

function unseenOfTracked(status: ReportedStatus, tally: PodTally, totals: KnownTotals): number {
  const { own } = totals;
  const { before } = tally;
  const failed = reportedTotal(status, "failed") - own.failed - before.failed - tally.uponFailure;
  const succeeded = isIndexed(totals, status)
    ? countIndexes(unseenIndexes(totals, tally))
    : reportedTotal(status, "succeeded") - own.succeeded - before.succeeded;
  // A Pod that counts as the other class was still observed.
  const otherClass = Math.min(own.neverCounted, tally.ambiguous);
  return Math.max(0, Math.max(0, failed) + Math.max(0, succeeded) - otherClass);
}

function isIndexed({ completedIndexes }: KnownTotals, reported: ReportedStatus): boolean {
  return parseIndexSet(reported.completedIndexes ?? "", Infinity).length > 0 || completedIndexes.length > 0;
}

/** Completed indexes without an observed success. */
function unseenIndexes({ completedIndexes }: KnownTotals, { completed, completedBefore }: PodTally): IndexSet {
  return withoutIndexes(completedIndexes, unionIndexes(indexesOf(completed), indexesOf(completedBefore)));
}

/** Without a gap, each Pod is observed before it ends and when it ends. */
function gapOfLatePods({ late }: PodTally): readonly Gap[] {
  return late === 0 ? [] : [{ gap: "podsObservedInPart", pods: late }];
}

function gapsOfTruncation({ created, reported }: JobObject): readonly Gap[] {
  if (created?.truncated !== true && reported?.status.truncated !== true) return [];
  return [{ gap: "jobTruncated" }];
}

/**
 * Whether the Job's counters and lists include no Pod that was not observed, and each observed Pod has an outcome or
 * still exists. Counters of untracked Jobs decrease, so they are no proof.
 */
function isReconciled({ reported }: JobObject, tally: PodTally, { tracking, totals }: DerivedStatus): boolean {
  if (tracking !== "tracked" || totals === undefined || reported === undefined) return false;
  if (tally.outcomes.Unknown > 0) return false;
  const { own } = totals;
  if (totals.failed > own.failed + tally.before.failed) return false;
  if (isIndexed(totals, reported.status)) return unseenIndexes(totals, tally).length === 0;
  return totals.succeeded <= own.succeeded + tally.before.succeeded;
}
