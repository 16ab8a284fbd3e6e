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

/** What stands beside a Job is not in its row: Nodes, hints and gaps change without it, and a question reads them when it is asked. */
const NO_SURROUNDINGS: ClusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };

/** When a row is of, and what was known then that decides together with the time: a Pod on a Node that is silent is found wanting. */
export interface RowMoment {
  readonly now: Instant;
  readonly nodes: ClusterContext["nodes"];
}

/**
 * What lists know of a Job; `undefined` where nobody knows what it is called. A function of the state alone, as of the latest instant its facts name; what time
 * decides after that, a sweep adds by a later `moment`.
 */
export function rowOf(
  cluster: ClusterName,
  held: JobState,
  moment: RowMoment = { now: held.seenAt, nodes: NO_SURROUNDINGS.nodes },
): JobRow | undefined {
  const job = held.layout === "inline" ? held.record.job : held.job;
  const known = placeOf(held);
  if (known === undefined) return undefined;
  const answer = summaryAnswer(cluster, held, moment);
  const hasEnded = answer.verdict.final || isGone(job, answer);
  return {
    ...known,
    phase: hasEnded ? "F" : "A",
    ...(hasEnded && { endedAt: endOf(answer) ?? held.seenAt }),
    attention: answer.findings.length > 0 || (held.layout === "large" && hasTrouble(answer, held)),
    summary: packSummary(shorten(answer)),
    measures: measuresOf(answer, ownPodsAtHand(held, answer)),
  };
}

/** Those of a large Job lie in pages, and a row is made without reading them. */
function ownPodsAtHand(held: JobState, { namespace }: JobAnswer): readonly PodRecord[] {
  if (held.layout === "large") return [];
  return [...held.record.pods.values()].filter(({ created }) => created?.namespace === namespace);
}

/** When it finished; of a Job that never did, when it was deleted. */
function endOf({ finishedAt, deletedAt }: JobAnswer): Instant | undefined {
  return parseInstant(finishedAt) ?? parseInstant(deletedAt);
}

/** Of a Job that was never seen, no end is known either: it is over for lists, and for whoever deletes what is old, as its last Pod is. */
function isGone({ created, deleted, vanished }: JobObject, { pods }: JobAnswer): boolean {
  if (created === undefined) return pods.active + pods.terminating === 0;
  return deleted !== undefined || vanished !== undefined;
}

/** Of a Job that was never seen by its Pods, where they are at hand: those of a large Job are not. */
function placeOf(held: JobState): Pick<JobRow, "namespace" | "name" | "createdAt"> | undefined {
  const { created } = held.layout === "inline" ? held.record.job : held.job;
  if (created !== undefined) {
    return { namespace: created.namespace, name: created.name, createdAt: created.createdAt };
  }
  const unseen = held.layout === "inline" ? unseenJob(held.record) : undefined;
  if (unseen?.named === undefined) return undefined;
  return { namespace: unseen.namespace, name: unseen.named.name, createdAt: unseen.createdAt };
}

/** What a list shows of a Job whose record is all at hand. */
export function listedAnswer(cluster: ClusterName, record: JobRecord, now: Instant): JobAnswer {
  return shorten(answerRecord(record, { cluster, clusterContext: NO_SURROUNDINGS, now }));
}

/** Findings look at every Pod; a large Job's are looked for when they are asked for, page by page. */
function summaryAnswer(cluster: ClusterName, held: JobState, { now, nodes }: RowMoment): JobAnswer {
  const around = { cluster, clusterContext: { ...NO_SURROUNDINGS, nodes }, now };
  if (held.layout === "inline") return answerRecord(held.record, around);
  const { clusterContext } = around;
  return presentJob(deriveTally({ job: held.job, tally: held.tally, clusterContext, now }), { cluster });
}

/** What a tally tells of trouble without the Pods. */
function hasTrouble({ verdict }: JobAnswer, { tally }: JobState & { readonly layout: "large" }): boolean {
  const { flipped, outcomes } = tally;
  return verdict.state === "Failed" || outcomes.Unknown > 0 || flipped.succeeded + flipped.failed > 0;
}

/** The longest text of an index set in a row. */
const MAX_INDEX_TEXT = 1_000;

/** Without evidence, and without what can grow with the Job: long index sets and lists of Pods. */
function shorten({ findings, status, reported, deletedBy, ...answer }: JobAnswer): JobAnswer {
  return {
    ...answer,
    status: shortStatus(status),
    ...(reported && { reported: { ...reported, status: shortStatus(reported.status) } }),
    ...(deletedBy && { deletedBy: { ...deletedBy, evidence: [] } }),
    findings: findings.map(shortFinding),
  };
}

function shortFinding(finding: Finding): Finding {
  const { pods: _, ...short } = finding;
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
