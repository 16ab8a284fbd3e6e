import type { Completeness, Gap } from "../../explain/answer-document.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import { trueCondition } from "./conditions.ts";
import { indexesOf } from "../accounting/index-bag.ts";
import { countIndexes, type IndexSet, parseIndexSet, unionIndexes, withoutIndexes } from "../accounting/index-set.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { KnownTotals } from "../accounting/known-totals.ts";
import type { ReportedStatus } from "../model/reported-status.ts";
import type { DerivedStatus } from "./status.ts";
import type { PodTally } from "../accounting/pod-tally.ts";
import type { Tracking } from "../accounting/tracking.ts";

/** How much of the Job's life was watched, and whether its own counters close what was not (docs/decisions/0010-completeness.md). */
export function completenessOf(
  job: JobObject,
  tally: PodTally,
  derived: DerivedStatus,
  clusterContext: Pick<ClusterContext, "gaps">,
  now: Instant,
): Completeness {
  const gaps = [
    ...recordedGaps(job, tally, clusterContext, now),
    ...gapBeforeFirstSight(job, derived),
    ...gapOfUnseenJob(job, tally),
    ...gapOfUnseenPods(job, tally, derived, now),
    ...gapOfLatePods(tally),
    ...gapsOfTruncation(job),
  ];
  if (gaps.length === 0) return { level: "complete", gaps };
  return { level: isReconciled(job, tally, derived) ? "reconciled" : "gaps", gaps };
}

/** The cluster's gap records that overlap the Job's life. */
function recordedGaps(
  job: JobObject,
  tally: PodTally,
  { gaps }: Pick<ClusterContext, "gaps">,
  now: Instant,
): readonly Gap[] {
  const from = job.created?.createdAt ?? -Infinity;
  const to = endOfLife(job, tally) ?? now;
  return gaps
    .filter((gap) => gap.from <= to && gap.to >= from && concernsJobs(gap.resources))
    .sort((a, b) => a.from - b.from || (a.gapId < b.gapId ? -1 : 1))
    .map((gap) => ({
      from: formatInstant(gap.from),
      to: formatInstant(gap.to),
      resources: gap.resources,
      reason: gap.reason,
    }));
}

/**
 * The Job's reported end. Of one that went before it ended: its going, unless Pods are left of which no end is known. Deleted in the background, a Job goes
 * before its Pods do, and `at` is when it last changed: what hid their ends came later.
 */
function endOfLife({ complete, failed, deleted, vanished }: JobObject, { outcomes }: PodTally): Instant | undefined {
  const end = complete ?? failed;
  if (end !== undefined) return end.at;
  return outcomes.Active + outcomes.Terminating + outcomes.Unknown > 0 ? undefined : (deleted ?? vanished)?.at;
}

/** A blind window for Nodes or CronJobs hides no Pod of a Job. */
function concernsJobs(resources: readonly string[]): boolean {
  return (
    resources.length === 0 || resources.some((resource) => /^(pods?|jobs?|\*)$/i.test(resource.split(".")[0] ?? ""))
  );
}

/** What was said at first observation speaks of Pods that ended before anybody here looked. */
function gapBeforeFirstSight({ firstReported, created }: JobObject, { tracking }: DerivedStatus): readonly Gap[] {
  if (firstReported === undefined || isFresh(firstReported.status, tracking)) return [];
  return [
    {
      ...(created !== undefined && { from: formatInstant(created.createdAt) }),
      to: formatInstant(firstReported.at),
      resources: ["jobs", "pods"],
      reason:
        tracking === "untracked"
          ? "The Job had started before it was first seen, and its controller forgets Pods that are gone."
          : "The Job had counted Pods before it was first seen.",
    },
  ];
}

/** Nothing had come to an end. Where Pods that are gone are forgotten, nothing may have begun. */
function isFresh(status: ReportedStatus, tracking: Tracking): boolean {
  const { completedIndexes = "", failedIndexes = "", conditions, startTime } = status;
  const hasEnded = trueCondition(conditions, "Complete") ?? trueCondition(conditions, "Failed");
  const hasCounted =
    counted(status, "succeeded") + counted(status, "failed") > 0 || completedIndexes + failedIndexes !== "";
  return !hasCounted && hasEnded === undefined && (tracking !== "untracked" || startTime === undefined);
}

/** Pods tell of a Job that nobody saw. */
function gapOfUnseenJob({ created }: JobObject, { outcomes }: PodTally): readonly Gap[] {
  if (created !== undefined || Object.values(outcomes).every((count) => count === 0)) return [];
  return [{ resources: ["jobs"], reason: "The Job itself was never seen." }];
}

/** The Job's own counters speak of Pods whose end was not seen. */
function gapOfUnseenPods(job: JobObject, tally: PodTally, derived: DerivedStatus, now: Instant): readonly Gap[] {
  const unseen = isPassing(job, now) ? 0 : unseenEnds(job, tally, derived);
  if (unseen === 0) return [];
  const pods = unseen === 1 ? "1 Pod whose end was not seen" : `${unseen} Pods whose ends were not seen`;
  return [{ resources: ["pods"], reason: `Kubernetes counted ${pods}.` }];
}

/** How far two streams of one cluster may be apart with nothing missed. */
const LAG_MS = 10_000;

/** What was reported just now of a Job that goes on may be ahead of its Pods. */
function isPassing({ reported, complete, failed, deleted, vanished }: JobObject, now: Instant): boolean {
  if ((complete ?? failed ?? deleted ?? vanished) !== undefined) return false;
  return reported !== undefined && now - reported.at < LAG_MS;
}

function unseenEnds(job: JobObject, tally: PodTally, { tracking, totals }: DerivedStatus): number {
  const { reported } = job;
  if (reported === undefined || totals === undefined) return 0;
  return tracking === "tracked"
    ? unseenOfTracked(reported.status, tally, totals)
    : unseenOfUntracked(reported.status, tally, totals, job.failed !== undefined);
}

/** When a controller without finalizers gives a Job up, it counts as failed what it has deleted just then, whatever that still does. */
function unseenOfUntracked(
  status: ReportedStatus,
  { flipped, ledgers, succeededAsked }: PodTally,
  { own }: KnownTotals,
  hasFailed: boolean,
): number {
  const givenUp = hasFailed ? ledgers.open + succeededAsked : 0;
  const succeeded = (status.succeeded ?? 0) - flipped.failed - own.succeeded;
  const failed = (status.failed ?? 0) - flipped.succeeded - own.failed - givenUp;
  return Math.max(0, succeeded) + Math.max(0, failed);
}

function unseenOfTracked(status: ReportedStatus, tally: PodTally, totals: KnownTotals): number {
  const { own } = totals;
  const { before } = tally;
  const failed = counted(status, "failed") - own.failed - before.failed - tally.uponFailure;
  const succeeded = isIndexed(totals, status)
    ? countIndexes(unseenIndexes(totals, tally))
    : counted(status, "succeeded") - own.succeeded - before.succeeded;
  // A Pod that counts as something else than it seems was seen.
  const otherwise = Math.min(own.neverCounted, tally.ambiguous);
  return Math.max(0, Math.max(0, failed) + Math.max(0, succeeded) - otherwise);
}

/** In the counter or on a list. */
function counted(status: ReportedStatus, ledger: "succeeded" | "failed"): number {
  const { uncounted } = status;
  const beyond = ledger === "succeeded" ? uncounted?.succeededBeyond : uncounted?.failedBeyond;
  return (status[ledger] ?? 0) + (uncounted?.[ledger].length ?? 0) + (beyond ?? 0);
}

function isIndexed({ completedIndexes }: KnownTotals, reported: ReportedStatus): boolean {
  return parseIndexSet(reported.completedIndexes ?? "", Infinity).length > 0 || completedIndexes.length > 0;
}

/** Completed indexes of which no Pod was seen to succeed. */
function unseenIndexes({ completedIndexes }: KnownTotals, { completed, completedBefore }: PodTally): IndexSet {
  return withoutIndexes(completedIndexes, unionIndexes(indexesOf(completed), indexesOf(completedBefore)));
}

/** Who misses nothing sees a Pod before it ends, and as it ends. */
function gapOfLatePods({ late }: PodTally): readonly Gap[] {
  if (late === 0) return [];
  const pods = late === 1 ? "1 Pod was" : `${late} Pods were`;
  return [{ resources: ["pods"], reason: `${pods} not seen from beginning to end.` }];
}

function gapsOfTruncation({ created, reported }: JobObject): readonly Gap[] {
  if (created?.truncated !== true && reported?.status.truncated !== true) return [];
  return [{ resources: ["jobs"], reason: "The Job's object was too large to be kept whole." }];
}

/** The Job's counters and lists name no Pod that the ledger lacks, and every Pod that was seen has an outcome or still lives. Untracked counters forget, so they prove nothing. */
function isReconciled({ reported }: JobObject, tally: PodTally, { tracking, totals }: DerivedStatus): boolean {
  if (tracking !== "tracked" || totals === undefined || reported === undefined) return false;
  if (tally.outcomes.Unknown > 0) return false;
  const { own } = totals;
  if (totals.failed > own.failed + tally.before.failed) return false;
  if (isIndexed(totals, reported.status)) return unseenIndexes(totals, tally).length === 0;
  return totals.succeeded <= own.succeeded + tally.before.succeeded;
}
