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

/** A Job's status, and the decisions from which it follows. */
export interface DerivedStatus {
  readonly status: JobStatus;
  readonly tracking: Tracking;
  /** The Complete or Failed condition that Kubernetes reported. */
  readonly reportedEnd?: JobFinished;
  /** The completions of an untracked Job are proven by its Pods, whatever is reported. */
  readonly proven: boolean;
  /** How the Job will end by its Pods and limits alone, whatever conditions are reported. */
  readonly observedEnd?: Decision["end"];
  /** How the Job will end by the rules of the Job controller. Absent if nothing is computed. */
  readonly decision?: Decision;
  /** The terminal condition that the Job controller writes by these rules. */
  readonly computedEnd?: "Complete" | "Failed";
  /** Absent if nothing is computed. */
  readonly totals?: KnownTotals;
}

/**
 * The Job's status as it follows from all facts (job-semantics 14): the status that the controller writes when it has
 * seen all of them.
 */
export function statusOf(input: StatusInput): DerivedStatus {
  const { job, tally, serverVersion } = input;
  const tracking = trackingOf(job, {
    podTracked: tally.tracked > 0,
    ...(serverVersion !== undefined && { serverVersion }),
  });
  const spec = currentSpec(job);
  const reportedEnd = firstFinish(job);
  const basis = { tracking, ...(reportedEnd !== undefined && { reportedEnd }) };
  if (spec === undefined || isLeftAlone(spec)) return { ...basis, status: reportedStatus(job), proven: false };
  const totals = totalsOf(input, spec, tracking);
  const observedEnd = observedEndOf(input, spec, totals);
  const proven = isProven(spec, tracking, tally);
  const premises = { ...basis, totals, proven, ...(observedEnd !== undefined && { observedEnd }) };
  if (tracking === "tracked" && reportedEnd !== undefined) {
    const completedIndexes = formatIndexSet(totals.completedIndexes);
    return { ...premises, status: endedStatus(job, spec, { end: reportedEnd, completedIndexes }) };
  }
  if (tracking === "unknown") return { ...premises, status: reportedCounters(job, tally) };
  return computedStatus(input, spec, premises);
}

type Premises = Pick<DerivedStatus, "tracking" | "reportedEnd" | "proven" | "observedEnd"> & {
  readonly totals: KnownTotals;
};

/**
 * The totals, with the indexes that failed because a Pod was deleted. A Pod that was deleted because the Job had failed
 * counts as failed, but its index does not: the controller's failed indexes are settled by then.
 */
function totalsOf({ job, tally, now }: StatusInput, spec: JobSpec, tracking: Tracking): KnownTotals {
  const { reported } = job;
  const input = { spec, reported, tally, tracking };
  const totals = knownTotals({ ...input, deletionsFail: "all" });
  if (tally.deletions.length === 0) return totals;
  const withoutDeleted = knownTotals({ ...input, deletionsFail: "none" });
  const verdict = decideVerdict({
    spec,
    reported: reported?.status,
    totals: withoutDeleted,
    tally,
    againstLimit: failuresAgainstLimit(tracking, withoutDeleted, tally),
    deleting: job.deletionRequested !== undefined,
    now,
  });
  return verdict?.end === "failure" ? knownTotals({ ...input, deletionsFail: "before failure" }) : totals;
}

/**
 * A controller without finalizers compares the limit with the Pods that exist (job-semantics 15). Because it forgets
 * failures that the facts keep, it may never reach a verdict that follows from the facts.
 */
function failuresAgainstLimit(tracking: Tracking, { failed }: KnownTotals, { failedExisting }: PodTally): number {
  return tracking === "untracked" ? failedExisting : failed;
}

/** The end that was reported first: a Job finishes once. */
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

/** The totals that the Pods' facts prove without the Job's own counters. */
function ownOnly(totals: KnownTotals): KnownTotals {
  const { own } = totals;
  return { ...totals, ...own };
}

/**
 * Whether the completions of an untracked Job were observed. It then stays complete, although its controller may forget
 * them. A work queue has no number of completions to prove.
 *
 * A success after a deletion request is no proof: a controller that fails a Job first deletes its Pods, and some of
 * them then succeed.
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

/** A reported end is final: counts, index sets and conditions are those that Kubernetes reported. */
function endedStatus(
  job: JobObject,
  spec: JobSpec,
  { end, completedIndexes }: { readonly end: JobFinished; readonly completedIndexes: string },
): JobStatus {
  const conditions = ensureCondition(job.reported?.status.conditions ?? [], end.condition);
  const isCut = job.reported?.status.truncated === true && spec.completionMode === "Indexed";
  return {
    ...(isCut && { completedIndexes }),
    ...reportedStatus(job),
    conditions: conditions.map(formatCondition),
  };
}

/** It is unknown how the Job is counted: its counters are the reported ones, its gauges count the observed Pods. */
function reportedCounters(job: JobObject, tally: PodTally): JobStatus {
  const { active: _, ready: __, terminating: ___, ...counters } = reportedStatus(job);
  return { ...counters, ...gauges(tally) };
}

function computedStatus(input: StatusInput, spec: JobSpec, premises: Premises): DerivedStatus {
  const { job } = input;
  const { totals } = premises;
  const before = job.reported?.status.conditions ?? [];
  if (isOver(job)) {
    return { ...premises, status: assembled(input, spec, { totals, failed: totals.failed, conditions: before }) };
  }
  const decision = decisionOf(input, spec, premises);
  if (decision !== undefined) return decidedStatus(input, spec, { ...premises, decision });
  if (job.deletionRequested !== undefined) {
    // The controller neither suspends nor resumes a Job that is being deleted.
    return { ...premises, status: assembled(input, spec, { totals, failed: totals.failed, conditions: before }) };
  }
  const conditions = withSuspension(before, job, spec);
  return { ...premises, status: assembled(input, spec, { totals, failed: totals.failedWithoutHeld, conditions }) };
}

function decisionOf({ job, tally, now }: StatusInput, spec: JobSpec, premises: Premises): Decision | undefined {
  const { totals, tracking } = premises;
  return decideVerdict({
    spec,
    reported: job.reported?.status,
    totals,
    tally,
    againstLimit: failuresAgainstLimit(tracking, totals, tally),
    deleting: job.deletionRequested !== undefined,
    now,
  });
}

function decidedStatus(
  input: StatusInput,
  spec: JobSpec,
  { decision, ...premises }: Premises & { readonly decision: Decision },
): DerivedStatus {
  const { job, tally, serverVersion } = input;
  const { totals, tracking } = premises;
  const failed = decision.end === "failure" ? totals.failedUponFailure : totals.failed;
  const interim = tracking === "tracked" && hasInterimConditions(apiVersionOf(job, serverVersion));
  const computedEnd = endOf(decision, tally, interim);
  const conditions = withVerdict(job.reported?.status.conditions ?? [], decision, { interim, computedEnd });
  return {
    ...premises,
    status: assembled(input, spec, { totals, failed, conditions }),
    decision,
    ...(computedEnd !== undefined && { computedEnd }),
  };
}

/** The Job has finished or is gone: the controller writes no more conditions. */
function isOver({ complete, failed, deleted, vanished }: JobObject): boolean {
  return (complete ?? failed ?? deleted ?? vanished) !== undefined;
}

/**
 * The controller writes the terminal condition when no Pod is active. A server that writes interim conditions also
 * waits until no Pod is terminating (job-semantics 6.1).
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
  { interim, computedEnd }: { readonly interim: boolean; readonly computedEnd: "Complete" | "Failed" | undefined },
): readonly Condition[] {
  const written = { status: "True", reason, message };
  const first = end === "success" ? "SuccessCriteriaMet" : "FailureTarget";
  const decided = interim ? ensureCondition(before, { type: first, ...written }) : before;
  return computedEnd === undefined ? decided : ensureCondition(decided, { type: computedEnd, ...written });
}

interface StatusParts {
  readonly totals: KnownTotals;
  readonly failed: number;
  readonly conditions: readonly Condition[];
}

function assembled({ job, tally }: StatusInput, spec: JobSpec, { totals, failed, conditions }: StatusParts): JobStatus {
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

/** `failedIndexes` is present, possibly empty, if failures are limited per index (job-semantics 4.1). */
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
