import type { Attribution, FactRef, JobAnswer } from "./answer.ts";
import { byWhom } from "./attribution-text.ts";
import { jobFactRef, podFactRef } from "./fact-ref.ts";
import type { JobObject, JobRecord } from "./job-record.ts";
import { firstEnd } from "./outcome.ts";
import { endedAt, speakingEnd } from "./pod-end.ts";
import type { PodRecord } from "./pod-record.ts";
import { byCreation } from "./pod-sample.ts";
import { count, sentence } from "./sentence.ts";

/** One fact of the story. */
export interface ChainEntry {
  /** RFC 3339. */
  readonly time: string;
  readonly resourceVersion: string;
  readonly kind: string;
  /** "pod/NAME", "job/NAME" or "node/NAME". */
  readonly object: string;
  readonly sentence: string;
}

export interface Chain {
  readonly entries: readonly ChainEntry[];
  /** Facts that are not told because there are too many. */
  readonly omitted: number;
}

/**
 * The facts an answer rests on, in order of time. Where there are more than `most`, the Job's own come first, then what findings rest on,
 * then how its Pods ended and who deleted them; of each the earliest. How Pods succeeded is told where the Job is gone: then it is all there is.
 */
export function chainOf(answer: JobAnswer, record: JobRecord, most: number): Chain {
  const refs = [
    ...milestonesOf(record.job, answer.deletedBy),
    ...(answer.deletedBy?.evidence ?? []),
    ...answer.findings.flatMap(({ evidence }) => evidence),
    ...endsOf(record, answer.deletedAt === undefined ? "failures" : "all"),
    ...deletionsOf(answer, record),
  ];
  const told = new Map<string, FactRef>();
  for (const ref of refs) {
    const fact = `${ref.kind}/${ref.resourceVersion}/${ref.object ?? ""}`;
    if (!told.has(fact)) told.set(fact, ref);
  }
  const entries = [...told.values()].slice(0, most).sort(byTime).map(entryOf);
  return { entries, omitted: told.size - entries.length };
}

function milestonesOf(job: JobObject, deletedBy: Attribution | undefined): readonly FactRef[] {
  const { created, complete, failed, deletionRequested, deleted, vanished } = job;
  const finished = complete ?? failed;
  return [
    ...(created === undefined ? [] : [jobFactRef(job, created, createdText(job))]),
    ...(finished === undefined ? [] : [jobFactRef(job, finished, finishedText(finished.condition))]),
    ...(deletionRequested === undefined ? [] : [jobFactRef(job, deletionRequested, deletionText(deletedBy))]),
    ...(deleted === undefined ? [] : [jobFactRef(job, deleted, "was gone")]),
    ...(vanished === undefined ? [] : [jobFactRef(job, vanished, "was missing from a later list")]),
  ];
}

function createdText({ created, specified }: JobObject): string {
  const [first] = [...(specified?.values() ?? [])].sort((a, b) => a.generation - b.generation);
  const by = created?.owner === undefined ? "" : ` by ${created.owner.kind} ${created.owner.name}`;
  const completions = first?.spec.completions;
  const wanted = completions === undefined ? "" : `, with ${count(completions, "completion")} wanted`;
  return `was created${by}${wanted}`;
}

function finishedText({
  type,
  reason,
  message,
}: {
  readonly type: string;
  readonly reason?: string;
  readonly message?: string;
}): string {
  const why = [reason, message].filter((text) => text !== undefined && text !== "").join(": ");
  return `was reported ${type}${why === "" ? "" : ` (${why})`}`;
}

function deletionText(deletedBy: Attribution | undefined): string {
  if (deletedBy === undefined || deletedBy.actor === "unknown") return "was asked to go, nobody knows by whom";
  return `was deleted ${byWhom(deletedBy)}: ${deletedBy.cause}`;
}

function endsOf({ pods }: JobRecord, which: "failures" | "all"): readonly FactRef[] {
  const ended = [...pods.values()].filter((pod) => which === "all" || firstEnd(pod)?.phase === "Failed");
  return ended.sort(byCreation).flatMap(endOf);
}

function endOf(pod: PodRecord): readonly FactRef[] {
  const end = firstEnd(pod);
  if (end === undefined) return [];
  const code = speakingEnd(pod)?.exitCode;
  const reason = end.reason === undefined ? "" : ` (${end.reason})`;
  const word = end.phase === "Succeeded" ? "succeeded" : "failed";
  return [podFactRef(pod, end, `${word}${code === undefined ? "" : ` with exit code ${code}`}${reason}`, endedAt(pod))];
}

/** Who deleted which Pod, where the answer has attempts. */
function deletionsOf({ attempts = [] }: JobAnswer, { pods }: JobRecord): readonly FactRef[] {
  const byUid = new Map<string, PodRecord>(pods);
  return attempts.flatMap(({ uid, deletedBy }) => {
    const pod = byUid.get(uid);
    const fact = pod?.deletionRequested ?? pod?.deleted;
    return pod === undefined || fact === undefined ? [] : [podFactRef(pod, fact, deletionText(deletedBy))];
  });
}

function entryOf({ time, resourceVersion, kind, object = "", detail = "" }: FactRef): ChainEntry {
  return { time, resourceVersion, kind, object, sentence: sentence(detail) };
}

/** Within a second resourceVersions say what came first: for a reader, not for a verdict, also across resource types. */
function byTime(a: FactRef, b: FactRef): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return Number(a.resourceVersion) - Number(b.resourceVersion) || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0);
}
