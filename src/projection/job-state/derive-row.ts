import type { Finding, JobAnswer } from "../../explain/answer-document.ts";
import type { Verdict } from "../../job/status/job-verdict.ts";
import type { JobStatus } from "../../job/status/job-status.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { answerRecord, presentJob, type RecordAnswerOptions } from "../../explain/present-job.ts";
import { deriveTally } from "../../explain/derived-job.ts";
import type { PastRuns } from "../../parents/series/past-run.ts";
import type { JobObject, JobRecord } from "../../job/model/job-record.ts";
import { unseenJob } from "../../job/model/unseen-job.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobMeasures, JobRow } from "../../ports/job-row.ts";
import { jobObjectOf, type JobState } from "./job-state.ts";
import { isSettled } from "../../job/status/settled.ts";
import { measuresOf } from "./job-measures.ts";
import type { HourlyUsage } from "../../job/usage/usage.ts";
import { usageOfRecord } from "../../explain/usage/record-usage.ts";
import { packSummary } from "./summary-bytes.ts";

/** A projection ignores Nodes, hints and gaps: they change without the Job. A sweep adds them. */
export const NO_CONTEXT: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };

export interface RowOptions {
  /** The instant of the row. @default the latest instant of the Job's facts */
  readonly now?: Instant;
  /** The Nodes, hints and gaps of the Job, as a sweep reads them. @default none */
  readonly clusterContext?: ClusterContext;
  /** The past runs of its series, if it may be slower than usual. @default none */
  readonly pastRuns?: PastRuns | undefined;
  /** When the sweep runs. In a silent cluster, `now` is earlier: the time of its last data. */
  readonly sweptAt?: Instant;
  /** What a large Job reserved, whose Pods only a sweep reads. */
  readonly usageOfLarge?: HourlyUsage;
}

/**
 * The list entry of a Job; `undefined` if its name is unknown. By default, it depends only on the state, at the latest
 * instant of its facts. A sweep derives it for a later instant and with its context.
 */
export function rowOf(cluster: ClusterName, state: JobState, options: RowOptions = {}): JobRow | undefined {
  return deriveRow(cluster, state, options)?.row;
}

/** A row, and what it was derived from. */
export interface DerivedRow {
  readonly row: JobRow & { readonly measures: JobMeasures };
  readonly answer: JobAnswer;
  /** The answer as lists show it. */
  readonly listed: JobAnswer;
  /** What the Pods of a Job that is over reserved, if they say it. */
  readonly usage?: HourlyUsage;
  /** The own Pods of an inline Job. */
  readonly pods: readonly PodRecord[];
  /** Final, deleted, or missing from a later list. */
  readonly isOver: boolean;
  /** When the Job finished or was deleted, otherwise the instant of its last fact. */
  readonly endedAt: Instant;
  /** Whether time alone can no longer change anything about its Pods. */
  readonly isSettled: boolean;
}

export function deriveRow(cluster: ClusterName, state: JobState, options: RowOptions = {}): DerivedRow | undefined {
  const job = jobObjectOf(state);
  const known = identityOf(state);
  if (known === undefined) return undefined;
  const answer = answerState(cluster, state, options);
  const pods = inlineOwnPods(state, answer);
  const attention = needsAttention(answer, state);
  const endedAt = endOf(answer, state);
  const ended = { isSettled: isSettled(job, pods), isTroubled: attention || answer.cause !== undefined, endedAt };
  const isOver = isJobOver(job, answer);
  const usage = isOver ? usageOfState(state, options) : undefined;
  const isUnread = state.layout === "large" && usage === undefined;
  const isComplete = isOver && isAtRest({ ...ended, isUnread }, options);
  const listed = shorten(answer);
  const row = {
    ...known,
    phase: isComplete ? ("F" as const) : ("A" as const),
    ...(isComplete && { endedAt }),
    attention,
    summary: packSummary(listed, usage),
    measures: measuresOf(answer, pods),
  };
  const derived = { row, answer, listed, pods, isOver, endedAt, isSettled: ended.isSettled };
  return { ...derived, ...(usage !== undefined && { usage }) };
}

function usageOfState(state: JobState, options: RowOptions): HourlyUsage | undefined {
  const { now = state.seenAt, clusterContext = NO_CONTEXT, usageOfLarge } = options;
  return state.layout === "large" ? usageOfLarge : usageOfRecord(state.record, { clusterContext, now });
}

interface EndedJob {
  readonly isSettled: boolean;
  readonly isTroubled: boolean;
  readonly endedAt: Instant;
  /** A large Job, whose Pods were not read. */
  readonly isUnread: boolean;
}

/** How long to wait for Pods to settle. A Pod whose last change was lost, for example in a gap, never settles. */
const UNSETTLED_MS = 86_400_000;

/**
 * Whether the row of an ended Job is complete. Findings and causes also depend on Events and Nodes, so a Job with some
 * is swept once more, and a Job whose Pods still change is swept until they settle. A sweep reads what the Pods of a
 * large Job reserved, once they are settled.
 */
function isAtRest(
  { isSettled: settled, isTroubled, endedAt, isUnread }: EndedJob,
  { clusterContext, sweptAt }: RowOptions,
): boolean {
  if (clusterContext === undefined) return settled && !isTroubled && !isUnread;
  return settled || (sweptAt ?? endedAt) - endedAt >= UNSETTLED_MS;
}

/** The own Pods of an inline Job. A row is derived without reading the pages of a large one. */
function inlineOwnPods(state: JobState, { namespace }: JobAnswer): readonly PodRecord[] {
  if (state.layout === "large") return [];
  return [...state.record.pods.values()].filter(({ created }) => created?.namespace === namespace);
}

/** When the Job finished; if it never did, when it was deleted; otherwise the instant of its last fact. */
export function endOf({ finishedAt, deletedAt }: JobAnswer, { seenAt }: Pick<JobState, "seenAt">): Instant {
  return parseInstant(finishedAt) ?? parseInstant(deletedAt) ?? seenAt;
}

/**
 * Whether the Job counts as ended for lists and retention. A Job that was never observed has ended when its last Pod
 * has.
 */
export function isJobOver({ created, deleted, vanished }: JobObject, { pods, verdict }: JobAnswer): boolean {
  if (verdict.final) return true;
  if (created === undefined) return pods.active + pods.terminating === 0;
  return deleted !== undefined || vanished !== undefined;
}

/**
 * Namespace, name and creation; `undefined` if the name is unknown. For a Job that was never observed, they follow from
 * its inline Pods.
 */
export function identityOf(state: JobState): Pick<JobRow, "namespace" | "name" | "createdAt"> | undefined {
  const { created } = jobObjectOf(state);
  if (created !== undefined) {
    return { namespace: created.namespace, name: created.name, createdAt: created.createdAt };
  }
  const unseen = state.layout === "inline" ? unseenJob(state.record) : undefined;
  if (unseen?.named === undefined) return undefined;
  return { namespace: unseen.namespace, name: unseen.named.name, createdAt: unseen.createdAt };
}

/** The list entry of a Job whose whole record is in memory. */
export function listedAnswer(cluster: ClusterName, record: JobRecord, now: Instant): JobAnswer {
  return shorten(answerRecord(record, { cluster, clusterContext: NO_CONTEXT, now, isListed: true }));
}

/** The list entry of a Job at an instant, from its state; `undefined` if its name is unknown. */
export function listedState(cluster: ClusterName, state: JobState, now: Instant): JobAnswer | undefined {
  return identityOf(state) && shorten(answerState(cluster, state, { now }));
}

/**
 * The answer about a Job by its state alone. Most findings need every Pod. For a large Job, queries derive them page by
 * page, and its row says that it lacks them. A large Job has no attempts either.
 */
export function answerState(
  cluster: ClusterName,
  state: JobState,
  options: RowOptions & Pick<RecordAnswerOptions, "attempts">,
): JobAnswer {
  const { now = state.seenAt, clusterContext = NO_CONTEXT, pastRuns, attempts = false } = options;
  const around = { cluster, clusterContext, pastRuns, now, attempts, isListed: true };
  if (state.layout === "inline") return answerRecord(state.record, around);
  const { job, tally } = state;
  const answer = presentJob(deriveTally({ job, tally, clusterContext, pastRuns, now }), { cluster });
  return { ...answer, verdict: withoutPodBasis(answer.verdict), podsUnread: true };
}

/** Findings about the Pods may contradict the report. Without them, only the report itself is certain. */
function withoutPodBasis(verdict: Verdict): Verdict {
  return verdict.basis === "both" ? { ...verdict, basis: "reported" } : verdict;
}

/** Whether the Job has findings. For a large Job: whether its tally alone shows a problem. */
function needsAttention({ findings, verdict }: JobAnswer, state: JobState): boolean {
  if (findings.length > 0 || state.layout === "inline") return findings.length > 0;
  const { flipped, outcomes } = state.tally;
  return verdict.state === "Failed" || outcomes.Unknown > 0 || flipped.succeeded + flipped.failed > 0;
}

/** The longest text of an index set in a row. */
const MAX_INDEX_TEXT = 1_000;

/**
 * Removes evidence, long index sets and lists of Pods: they grow with the Job. Also removes what is expected: it
 * changes with every run of the series.
 */
export function shorten(answer: JobAnswer): JobAnswer {
  const { findings, cause, waiting, status, reported, deletedBy, expected: _, noExpectation: _no, ...rest } = answer;
  return {
    ...rest,
    status: shortStatus(status),
    ...(reported && { reported: { ...reported, status: shortStatus(reported.status) } }),
    ...(deletedBy && { deletedBy: { ...deletedBy, evidence: [] } }),
    ...(cause && { cause: withoutPods(cause) }),
    ...(waiting && { waiting: withoutPods(waiting) }),
    findings: findings.map(withoutPods),
  };
}

function withoutPods<Named extends Pick<Finding, "pods" | "evidence">>(named: Named): Omit<Named, "pods"> {
  const { pods: _, ...short } = named;
  return { ...short, evidence: [] };
}

function shortStatus(status: JobStatus): JobStatus {
  const { completedIndexes, failedIndexes, uncountedTerminatedPods: _, ...short } = status;
  return {
    ...short,
    ...(isShort(completedIndexes) && { completedIndexes }),
    ...(isShort(failedIndexes) && { failedIndexes }),
  };
}

function isShort(indexes: string | undefined): indexes is string {
  return indexes !== undefined && indexes.length <= MAX_INDEX_TEXT;
}
