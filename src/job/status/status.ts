import { apiVersionOf, hasInterimConditions } from "../model/api-version.ts";
import type { JobStatus } from "./job-status.ts";
import { ensureCondition } from "./conditions.ts";
import { currentSpec } from "../model/current-spec.ts";
import type { JobFinished } from "../model/fact.ts";
import { addBags, indexesOf } from "../accounting/index-bag.ts";
import { countIndexes, cutIndexes, formatIndexSet } from "../accounting/index-set.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { type KnownTotals, knownTotals } from "../accounting/known-totals.ts";
import { isLeftAlone } from "./managed-by.ts";
import { compareOrder } from "../model/order.ts";
import type { Condition, ReportedStatus } from "../model/reported-status.ts";
import { formatCondition, formatStatus } from "./status-text.ts";
import { withSuspension } from "./suspension.ts";
import type { PodTally } from "../accounting/pod-tally.ts";
import { type Tracking, trackingOf } from "../accounting/tracking.ts";
import { type Decision, decideVerdict } from "./verdict.ts";

export interface StatusInput {
  readonly job: JobObject;
  readonly tally: PodTally;
  readonly serverVersion?: string;
  readonly now: Instant;
}

/** A Job's status and what it rests on. */
export interface DerivedStatus {
  readonly status: JobStatus;
  readonly tracking: Tracking;
  /** Kubernetes said that the Job is over. */
  readonly reportedEnd?: JobFinished;
  /** An untracked Job whose completions are proven, whatever is reported. */
  readonly proven: boolean;
  /** How the Job is bound to end by its Pods and limits alone, whatever conditions are reported. */
  readonly observedEnd?: Decision["end"];
  /** How the Job is bound to end, by the rules; absent where nothing is computed. */
  readonly decision?: Decision;
  /** The terminal condition that the rules write. */
  readonly computedEnd?: "Complete" | "Failed";
  /** Absent where nothing is computed. */
  readonly totals?: KnownTotals;
}

/**
 * The Job's status as it follows from all facts (job-semantics 14): what the controller would have written once it
 * caught up.
 */
export function statusOf(input: StatusInput): DerivedStatus {
  const { job, tally, serverVersion } = input;
  const tracking = trackingOf(job, {
    podTracked: tally.tracked > 0,
    ...(serverVersion !== undefined && { serverVersion }),
  });
  const spec = currentSpec(job);
  const reportedEnd = firstFinish(job);
  const said = { tracking, ...(reportedEnd !== undefined && { reportedEnd }) };
  if (spec === undefined || isLeftAlone(spec)) return { ...said, status: reportedStatus(job), proven: false };
  const totals = totalsOf(input, spec, tracking);
  const observedEnd = observedEndOf(input, spec, totals);
  const proven = isProven(spec, tracking, tally);
  const withTotals = { ...said, totals, proven, ...(observedEnd !== undefined && { observedEnd }) };
  if (tracking === "tracked" && reportedEnd !== undefined) {
    return { ...withTotals, status: endedStatus(job, spec, reportedEnd, totals) };
  }
  if (tracking === "unknown") return { ...withTotals, status: followedStatus(job, tally) };
  return computedStatus(input, spec, withTotals);
}

/**
 * The totals, with the indexes that failed because a Pod of theirs was deleted: not those that were deleted because the
 * Job had failed. Those count as failures, but the controller has its failed indexes from before.
 */
function totalsOf({ job, tally, now }: StatusInput, spec: JobSpec, tracking: Tracking): KnownTotals {
  const { reported } = job;
  const totals = knownTotals(spec, reported, tally, tracking, "all");
  if (tally.deletions.length === 0) return totals;
  const withoutDeleted = knownTotals(spec, reported, tally, tracking, "none");
  const verdict = decideVerdict({
    spec,
    reported: reported?.status,
    totals: withoutDeleted,
    tally,
    againstLimit: failuresAgainstLimit(tracking, withoutDeleted, tally),
    deleting: job.deletionRequested !== undefined,
    now,
  });
  return verdict?.end === "failure" ? knownTotals(spec, reported, tally, tracking, "before failure") : totals;
}

/**
 * A controller without finalizers holds the limit against the Pods that exist (job-semantics 15). It forgets failures
 * that we keep, and a verdict that it cannot reach is none.
 */
function failuresAgainstLimit(tracking: Tracking, { failed }: KnownTotals, { failedExisting }: PodTally): number {
  return tracking === "untracked" ? failedExisting : failed;
}

/** The end that was reported first: a Job ends once. */
function firstFinish({ complete, failed }: JobObject): JobFinished | undefined {
  if (complete === undefined || failed === undefined) return complete ?? failed;
  return compareOrder(failed, complete) < 0 ? failed : complete;
}

function observedEndOf(
  { job, tally, now }: StatusInput,
  spec: JobSpec,
  totals: KnownTotals,
): Decision["end"] | undefined {
  const startTime = job.reported?.status.startTime;
  const end = firstFinish(job)?.condition.lastTransitionAt;
  const reported: ReportedStatus = { conditions: [], ...(startTime !== undefined && { startTime }) };
  const own = { totals: ownOnly(totals), againstLimit: totals.own.failed };
  return decideVerdict({ spec, reported, ...own, tally, deleting: false, now: end ?? now })?.end;
}

/** What the ledger proves without the Job's own counters. */
function ownOnly(totals: KnownTotals): KnownTotals {
  const { own } = totals;
  return { ...totals, ...own };
}

/**
 * An untracked Job is complete once its completions were seen, and stays so: its controller may yet forget them. A work
 * queue has nothing to prove. What Pods that had been asked to go still did is no proof: a controller that gives a Job
 * up has them deleted first, and some end well on that.
 */
function isProven({ completionMode, completions }: JobSpec, tracking: Tracking, tally: PodTally): boolean {
  if (tracking !== "untracked" || completions === undefined) return false;
  if (completionMode !== "Indexed") return tally.ledgers.succeeded - tally.succeededAfterDeletion >= completions;
  const proven = indexesOf(addBags(tally.completed, tally.completedAfterDeletion, -1));
  return countIndexes(cutIndexes(proven, completions)) >= completions;
}

function reportedStatus({ reported }: JobObject): JobStatus {
  return reported === undefined ? {} : formatStatus(reported.status);
}

/** A reported end is final: counts, index sets and conditions are what Kubernetes settled at. */
function endedStatus(job: JobObject, spec: JobSpec, end: JobFinished, totals: KnownTotals): JobStatus {
  const conditions = ensureCondition(job.reported?.status.conditions ?? [], end.condition);
  const isCut = job.reported?.status.truncated === true && spec.completionMode === "Indexed";
  return {
    ...(isCut && { completedIndexes: formatIndexSet(totals.completedIndexes) }),
    ...reportedStatus(job),
    conditions: conditions.map(formatCondition),
  };
}

/** Nobody knows how the Job is counted: the counters are the reported ones, and what exists is what was seen. */
function followedStatus(job: JobObject, tally: PodTally): JobStatus {
  const { active: _, ready: __, terminating: ___, ...counters } = reportedStatus(job);
  return { ...counters, ...gauges(tally) };
}

function computedStatus(
  input: StatusInput,
  spec: JobSpec,
  said: Pick<DerivedStatus, "tracking" | "reportedEnd" | "proven" | "observedEnd"> & { readonly totals: KnownTotals },
): DerivedStatus {
  const { job, tally, serverVersion, now } = input;
  const { totals } = said;
  const reported = job.reported?.status;
  const before = reported?.conditions ?? [];
  if (isOver(job)) return { ...said, status: assembled(input, spec, totals, totals.failed, before) };
  const againstLimit = failuresAgainstLimit(said.tracking, totals, tally);
  const deleting = job.deletionRequested !== undefined;
  const decision = decideVerdict({ spec, reported, totals, tally, againstLimit, deleting, now });
  if (decision === undefined) {
    const failed = deleting ? totals.failed : totals.failedWithoutHeld;
    // A Job that is being deleted is neither suspended nor resumed any more.
    const conditions = job.deletionRequested === undefined ? withSuspension(before, job, spec) : before;
    return { ...said, status: assembled(input, spec, totals, failed, conditions) };
  }
  const failed = decision.end === "failure" ? totals.failedUponFailure : totals.failed;
  const interim = said.tracking === "tracked" && hasInterimConditions(apiVersionOf(job, serverVersion));
  const computedEnd = endOf(decision, tally, interim);
  const conditions = withVerdict(before, decision, interim, computedEnd);
  return {
    ...said,
    status: assembled(input, spec, totals, failed, conditions),
    decision,
    ...(computedEnd !== undefined && { computedEnd }),
  };
}

/** Nobody writes conditions any more. */
function isOver({ complete, failed, deleted, vanished }: JobObject): boolean {
  return (complete ?? failed ?? deleted ?? vanished) !== undefined;
}

/**
 * The second condition waits until no Pod is active and, on servers that write the first one, none terminating
 * (job-semantics 6.1).
 */
function endOf(
  { end }: Decision,
  { active, terminating }: PodTally,
  interim: boolean,
): "Complete" | "Failed" | undefined {
  if (active > 0 || (interim && terminating > 0)) return undefined;
  return end === "success" ? "Complete" : "Failed";
}

function withVerdict(
  before: readonly Condition[],
  { end, reason, message }: Decision,
  interim: boolean,
  computedEnd: "Complete" | "Failed" | undefined,
): readonly Condition[] {
  const written = { status: "True", reason, message };
  const first = end === "success" ? "SuccessCriteriaMet" : "FailureTarget";
  const decided = interim ? ensureCondition(before, { type: first, ...written }) : before;
  return computedEnd === undefined ? decided : ensureCondition(decided, { type: computedEnd, ...written });
}

function assembled(
  { job, tally }: StatusInput,
  spec: JobSpec,
  totals: KnownTotals,
  failed: number,
  conditions: readonly Condition[],
): JobStatus {
  const { startTime, completionTime } = reportedStatus(job);
  return {
    ...gauges(tally),
    ...(totals.succeeded > 0 && { succeeded: totals.succeeded }),
    ...(failed > 0 && { failed }),
    ...(spec.completionMode === "Indexed" && indexSets(spec, totals)),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(conditions.length > 0 && { conditions: conditions.map(formatCondition) }),
  };
}

/** `failedIndexes` is there, if only empty, where failures are limited per index (job-semantics 4.1). */
function indexSets(spec: JobSpec, { completedIndexes, failedIndexes }: KnownTotals): JobStatus {
  return {
    ...(completedIndexes.length > 0 && { completedIndexes: formatIndexSet(completedIndexes) }),
    ...(spec.backoffLimitPerIndex !== undefined && { failedIndexes: formatIndexSet(failedIndexes) }),
  };
}

function gauges({ active, ready, terminating }: PodTally): JobStatus {
  return {
    ...(active > 0 && { active }),
    ready,
    ...(terminating > 0 && { terminating }),
  };
}
