import type { Finding, JobAnswer, JobStatus } from "../job/answer.ts";
import type { Surroundings } from "../job/cluster-record.ts";
import type { ClusterName } from "../job/ids.ts";
import { answerJob, answerRecord } from "../job/job-answer.ts";
import type { JobRow } from "../ports/jobs.ts";
import type { HeldJob } from "./held-job.ts";

/** What stands beside a Job is not in its row: Nodes, hints and gaps change without it, and a question reads them when it is asked. */
const NO_SURROUNDINGS: Surroundings = { nodes: new Map(), hints: new Map(), gaps: [] };

/** What lists know of a Job; `undefined` while the Job object itself was not seen. A function of the state alone, as of the latest instant its facts name. */
export function rowOf(cluster: ClusterName, held: HeldJob): JobRow | undefined {
  const { created, deleted, vanished } = held.layout === "inline" ? held.record.job : held.job;
  if (created === undefined) return undefined;
  const answer = summaryAnswer(cluster, held);
  const isGone = deleted !== undefined || vanished !== undefined;
  return {
    namespace: created.namespace,
    name: created.name,
    createdAt: created.createdAt,
    phase: answer.verdict.final || isGone ? "F" : "A",
    attention: answer.findings.length > 0 || (held.layout === "large" && hasTrouble(answer, held)),
    summary: JSON.stringify(shorten(answer)),
  };
}

/** Findings look at every Pod; a large Job's are looked for when they are asked for, page by page. */
function summaryAnswer(cluster: ClusterName, held: HeldJob): JobAnswer {
  const around = { cluster, surroundings: NO_SURROUNDINGS, now: held.seenAt };
  if (held.layout === "inline") return answerRecord(held.record, around);
  return answerJob({ ...around, job: held.job, tally: held.tally, findings: [] });
}

/** What a tally tells of trouble without the Pods. */
function hasTrouble({ verdict }: JobAnswer, { tally }: HeldJob & { readonly layout: "large" }): boolean {
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
