import type { Attribution, FactRef, JobAnswer } from "./answer-document.ts";
import { byWhom } from "./attribution-text.ts";
import { compareText } from "../job/model/compare-text.ts";
import { jobFactRef, podFactRef } from "../job/model/fact-ref.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { attributePodDeletion } from "../job/attribution/pod-deletion.ts";
import { podEndRef } from "../job/findings/pod-end-ref.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { count, sentence } from "../text/sentence.ts";
import { MAX_CHAIN, type WhyPods } from "./why-pods.ts";

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
  /** Facts that are not told because there are too many; at least, where not every one of them was held to what is told. */
  readonly omitted: { readonly count: number; readonly atLeast: boolean };
}

/**
 * The facts an answer rests on, in order of time. Where there are more than {@link MAX_CHAIN}, the Job's own come first, then what findings rest
 * on, then how its Pods ended and who deleted them; of each the earliest.
 */
export function chainOf(answer: JobAnswer, pods: WhyPods): Chain {
  const evidence = [
    ...milestonesOf(pods.job, answer.deletedBy),
    ...(answer.deletedBy?.evidence ?? []),
    ...answer.findings.flatMap((finding) => finding.evidence),
  ];
  const told = new Map<string, FactRef>();
  for (const ref of [
    ...evidence,
    ...pods.ended.pods.flatMap(podEndRef),
    ...pods.deleted.pods.flatMap(deletionOf(pods)),
  ]) {
    const fact = `${ref.kind}/${ref.resourceVersion}/${ref.object ?? ""}`;
    if (!told.has(fact)) told.set(fact, ref);
  }
  const entries = [...told.values()].slice(0, MAX_CHAIN).sort(byTime).map(entryOf);
  const unheld = [pods.ended, pods.deleted].reduce((sum, sample) => sum + sample.count - sample.pods.length, 0);
  // A fact that no sample holds may be among the evidence.
  const beyond = Math.max(0, unheld - evidence.length);
  return { entries, omitted: { count: told.size - entries.length + beyond, atLeast: unheld > 0 } };
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

function deletionOf({ job, clusterContext }: WhyPods): (pod: PodRecord) => readonly FactRef[] {
  return (pod) => {
    const fact = pod.deletionRequested ?? pod.deleted;
    return fact === undefined
      ? []
      : [podFactRef(pod, fact, deletionText(attributePodDeletion(pod, job, clusterContext)))];
  };
}

function entryOf({ time, resourceVersion, kind, object = "", detail = "" }: FactRef): ChainEntry {
  return { time, resourceVersion, kind, object, sentence: sentence(detail) };
}

/** Within a second resourceVersions say what came first: for a reader, not for a verdict, also across resource types. */
function byTime(a: FactRef, b: FactRef): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return Number(a.resourceVersion) - Number(b.resourceVersion) || compareText(a.kind, b.kind);
}
