import type { Finding, JobAnswer } from "../../explain/answer-document.ts";
import type { JobStatus } from "../../job/status/job-status.ts";
import type { ClusterContext } from "../../job/model/cluster-record.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { answerRecord, presentJob } from "../../explain/present-job.ts";
import { deriveTally } from "../../job/derived/derived-job.ts";
import type { JobObject, JobRecord } from "../../job/model/job-record.ts";
import { unseenJob } from "../../job/model/unseen-job.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobRow } from "../../ports/jobs.ts";
import type { JobState } from "./job-state.ts";
import { measuresOf } from "./job-measures.ts";
import { packSummary } from "./summary-bytes.ts";

/** A row ignores Nodes, hints and gaps: they change without the Job, and queries read them. */
const NO_CONTEXT: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };

/** The instant of a row, and the Nodes known then: a Pod on a Node that stopped reporting is a finding. */
export interface RowMoment {
  readonly now: Instant;
  readonly nodes: ClusterContext["nodes"];
  /** Events about the Job itself. @default none */
  readonly hints?: ClusterContext["hints"];
}

/**
 * The list entry of a Job; `undefined` if its name is unknown. By default, it depends only on the state, at the latest
 * instant of its facts. A sweep passes a later `moment`, for changes that follow from time alone.
 */
export function rowOf(
  cluster: ClusterName,
  state: JobState,
  moment: RowMoment = { now: state.seenAt, nodes: NO_CONTEXT.nodes },
): JobRow | undefined {
  const job = state.layout === "inline" ? state.record.job : state.job;
  const known = identityOf(state);
  if (known === undefined) return undefined;
  const answer = summaryAnswer(cluster, state, moment);
  const hasEnded = answer.verdict.final || isGone(job, answer);
  return {
    ...known,
    phase: hasEnded ? "F" : "A",
    ...(hasEnded && { endedAt: endOf(answer) ?? state.seenAt }),
    attention: answer.findings.length > 0 || (state.layout === "large" && hasTrouble(answer, state)),
    summary: packSummary(shorten(answer)),
    measures: measuresOf(answer, inlineOwnPods(state, answer)),
  };
}

/** The own Pods of an inline Job. A row is derived without reading the pages of a large one. */
function inlineOwnPods(state: JobState, { namespace }: JobAnswer): readonly PodRecord[] {
  if (state.layout === "large") return [];
  return [...state.record.pods.values()].filter(({ created }) => created?.namespace === namespace);
}

/** When the Job finished; if it never did, when it was deleted. */
function endOf({ finishedAt, deletedAt }: JobAnswer): Instant | undefined {
  return parseInstant(finishedAt) ?? parseInstant(deletedAt);
}

/** Whether the Job is over for lists and retention. A Job that was never observed is over when its last Pod is. */
function isGone({ created, deleted, vanished }: JobObject, { pods }: JobAnswer): boolean {
  if (created === undefined) return pods.active + pods.terminating === 0;
  return deleted !== undefined || vanished !== undefined;
}

/** Namespace, name and creation. For a Job that was never observed, they follow from its inline Pods. */
function identityOf(state: JobState): Pick<JobRow, "namespace" | "name" | "createdAt"> | undefined {
  const { created } = state.layout === "inline" ? state.record.job : state.job;
  if (created !== undefined) {
    return { namespace: created.namespace, name: created.name, createdAt: created.createdAt };
  }
  const unseen = state.layout === "inline" ? unseenJob(state.record) : undefined;
  if (unseen?.named === undefined) return undefined;
  return { namespace: unseen.namespace, name: unseen.named.name, createdAt: unseen.createdAt };
}

/** The list entry of a Job whose whole record is in memory. */
export function listedAnswer(cluster: ClusterName, record: JobRecord, now: Instant): JobAnswer {
  return shorten(answerRecord(record, { cluster, clusterContext: NO_CONTEXT, now }));
}

/** Findings read every Pod. Those of a large Job are derived by queries, page by page. */
function summaryAnswer(cluster: ClusterName, state: JobState, moment: RowMoment): JobAnswer {
  const { now, nodes, hints = NO_CONTEXT.hints } = moment;
  const options = { cluster, clusterContext: { ...NO_CONTEXT, nodes, hints }, now };
  if (state.layout === "inline") return answerRecord(state.record, options);
  const { clusterContext } = options;
  return presentJob(deriveTally({ job: state.job, tally: state.tally, clusterContext, now }), { cluster });
}

/** Whether the tally alone shows a problem. */
function hasTrouble({ verdict }: JobAnswer, { tally }: JobState & { readonly layout: "large" }): boolean {
  const { flipped, outcomes } = tally;
  return verdict.state === "Failed" || outcomes.Unknown > 0 || flipped.succeeded + flipped.failed > 0;
}

/** The longest text of an index set in a row. */
const MAX_INDEX_TEXT = 1_000;

/** Removes evidence, long index sets and lists of Pods: they grow with the Job. */
function shorten({ findings, cause, waiting, status, reported, deletedBy, ...answer }: JobAnswer): JobAnswer {
  return {
    ...answer,
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
