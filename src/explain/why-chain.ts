import { attributePodDeletion } from "../job/attribution/pod-deletion.ts";
import type { DerivedJob } from "./derived-job.ts";
import { podEndEvidence } from "../job/evidence/pod-end-evidence.ts";
import { compareText } from "../job/model/compare-text.ts";
import { jobEvidence, podEvidence } from "../job/model/evidence.ts";
import type { JobObjectFact } from "../job/model/fact.ts";
import type { JobObject } from "../job/model/job-record.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { count, sentence } from "../job/text/sentence.ts";
import type { Attribution, ChainEntry, FactRef } from "./answer-document.ts";
import { byWhom } from "./attribution-text.ts";
import { presentAttribution } from "./explain-deletion.ts";
import { presentCause } from "./cause/explain-cause.ts";
import { presentWaiting } from "./cause/explain-waiting.ts";
import { explainFinding } from "./explain-finding.ts";
import { describePodEnd } from "./pod-end-text.ts";
import { factId, presentEvidence } from "./present-evidence.ts";
import { MAX_CHAIN, type WhyPods } from "./why-pods.ts";

export interface Chain {
  readonly entries: readonly ChainEntry[];
  /**
   * Facts that are left out because there are too many. `atLeast`: some of them may be duplicates, or were not read.
   */
  readonly omitted: { readonly count: number; readonly atLeast: boolean };
}

/**
 * The facts that an answer rests on, in order of time. If there are more than {@link MAX_CHAIN}, the Job's own facts
 * have priority, then the evidence of findings, then the ends and deletions of Pods.
 */
export function chainOf({ job, deletedBy, findings, cause, waiting }: DerivedJob, pods: WhyPods): Chain {
  const deletion = deletedBy && presentAttribution(deletedBy);
  const evidence = [
    ...milestonesOf(job, deletion),
    ...(deletion?.evidence ?? []),
    ...(waiting === undefined ? [] : presentWaiting(waiting).evidence),
    ...(cause === undefined ? [] : presentCause(cause).evidence),
    ...findings.flatMap((finding) => explainFinding(finding).evidence),
  ];
  const known = new Map<string, FactRef>();
  for (const ref of [
    ...evidence,
    ...pods.ended.pods.flatMap((pod) => podEndEvidence(pod).map((end) => presentEvidence(end, describePodEnd))),
    ...pods.deleted.pods.flatMap(deletionOf(pods)),
  ]) {
    const fact = factId(ref);
    if (!known.has(fact)) known.set(fact, ref);
  }
  const entries = [...known.values()].slice(0, MAX_CHAIN).sort(byTime).map(entryOf);
  const notSampled = [pods.ended, pods.deleted].reduce((sum, sample) => sum + sample.count - sample.pods.length, 0);
  // A fact outside of the samples may also be evidence of a finding.
  const beyond = Math.max(0, notSampled - evidence.length);
  return { entries, omitted: { count: known.size - entries.length + beyond, atLeast: notSampled > 0 } };
}

function milestonesOf(job: JobObject, deletedBy: Attribution | undefined): readonly FactRef[] {
  const { created, complete, failed, deletionRequested, deleted, vanished } = job;
  const finished = complete ?? failed;
  return [
    ...(created === undefined ? [] : [milestone(job, created, createdText(job))]),
    ...(finished === undefined ? [] : [milestone(job, finished, finishedText(finished.condition))]),
    ...(deletionRequested === undefined ? [] : [milestone(job, deletionRequested, deletionText(deletedBy))]),
    ...(deleted === undefined ? [] : [milestone(job, deleted, "was removed from the cluster")]),
    ...(vanished === undefined ? [] : [milestone(job, vanished, "was missing from a later list")]),
  ];
}

function milestone(job: JobObject, fact: JobObjectFact, text: string): FactRef {
  return presentEvidence(jobEvidence(job, fact, text), (detail) => detail);
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
  if (deletedBy === undefined || deletedBy.actor === "unknown") return "was marked for deletion; no fact shows by whom";
  return `was deleted ${byWhom(deletedBy)}: ${deletedBy.cause}`;
}

function deletionOf({ job, clusterContext }: WhyPods): (pod: PodRecord) => readonly FactRef[] {
  return (pod) => {
    const fact = pod.deletionRequested ?? pod.deleted;
    if (fact === undefined) return [];
    const by = attributePodDeletion(pod, job, clusterContext);
    const evidence = podEvidence(pod, fact, { shows: deletionText(by && presentAttribution(by)) });
    return [presentEvidence(evidence, (detail) => detail)];
  };
}

function entryOf({ time, resourceVersion, kind, object = "", detail = "" }: FactRef): ChainEntry {
  return { time, resourceVersion, kind, object, sentence: sentence(detail) };
}

/**
 * Facts within the same second are ordered by resourceVersion, even across resource types. That is sufficient for
 * display.
 */
function byTime(a: FactRef, b: FactRef): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return Number(a.resourceVersion) - Number(b.resourceVersion) || compareText(a.kind, b.kind);
}
