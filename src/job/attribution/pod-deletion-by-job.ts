import type { Attribution } from "../../explain/answer-document.ts";
import { hintKey } from "../model/cluster-record.ts";
import type { EventHinted, JobDeleted, JobDeletionRequested } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import { clusterFactRef, jobFactRef, podFactRef, podName } from "../model/fact-ref.ts";
import type { Instant } from "../model/instant.ts";
import { endingsOf } from "../status/job-ending.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { endedBefore, type PodDeletionCase } from "./pod-deletion-case.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Condition } from "../model/reported-status.ts";

/** Object times are cut to whole seconds. */
const CUT_MS = 1_000;

/** Its Job went, and the garbage collector took its Pods. */
export function jobGone({ job, asked, at, evidence }: PodDeletionCase): Attribution | undefined {
  const going = job.deletionRequested ?? job.deleted;
  if (going === undefined || !wentBefore(going, asked, at)) return undefined;
  const cause =
    job.deletionRequested === undefined ? "its Job was deleted" : "its Job was being deleted, and its Pods with it";
  const ref = jobFactRef(job, going, going.kind === "JobDeleted" ? "was gone" : "was asked to go");
  return { actor: "generic-garbage-collector", cause, confidence: "likely", evidence: [ref, evidence] };
}

/**
 * Whether the Job went before the Pod was asked to go. A Job that goes in the background names no instant of that, only of what was written before,
 * and object times are cut to whole seconds. Then the numbers of the two resourceVersions tell: nearly every cluster has Jobs and Pods in one etcd,
 * which is enough for a guess, and for no count (docs/decisions/0008-known-totals.md).
 */
function wentBefore(going: JobDeletionRequested | JobDeleted, asked: Order, at: Instant): boolean {
  const since = at - instantOf(going);
  if (going.kind === "JobDeletionRequested" && Math.abs(since) > CUT_MS) return since > 0;
  return since >= -CUT_MS && compareOrder(going, asked) < 0;
}

/** The Pods of a Job that is being suspended are deleted with the writing of its condition. */
const SUSPENSION_MS = 60_000;

export function suspended({ job, pod, at, hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  const said = job.reported;
  const since = said?.status.conditions.find(({ type, status }) => type === "Suspended" && status === "True");
  if (hadEnded || said === undefined || since?.lastTransitionAt === undefined) return undefined;
  // A Pod that carried the finalizer when it was asked to go was not released: somebody else took it away.
  if (pod.tracked !== undefined && pod.deletionRequested?.tracked === true) return undefined;
  if (at < since.lastTransitionAt - CUT_MS || at > since.lastTransitionAt + SUSPENSION_MS) return undefined;
  const ref = jobFactRef(job, said, "had condition Suspended");
  const cause = "the Job was suspended: the Pod was released, not counted";
  return { actor: "job-controller", cause, confidence: "likely", evidence: [evidence, ref] };
}

/** job-semantics 3.4: whoever releases a Pod takes the finalizer off first, and only the Job controller does that to a Pod that runs. */
export function releasedByJobController({ pod, job, hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  const { deletionRequested, tracked, untracked } = pod;
  if (hadEnded || tracked === undefined || deletionRequested?.tracked !== false) return undefined;
  const off = untracked === undefined ? [] : [podFactRef(pod, untracked, "had lost its tracking finalizer by then")];
  return { actor: "job-controller", cause: releaseCause(job), confidence: "likely", evidence: [...off, evidence] };
}

function releaseCause(job: JobObject): string {
  const reported = job.reported?.status.conditions ?? [];
  const specified = [...(job.specified?.values() ?? [])];
  if (reported.some(({ type }) => type === "Suspended") || specified.some(({ spec }) => spec.suspend)) {
    return "the Job was suspended or scaled down: the Pod was released, not counted";
  }
  return "it was no longer wanted (scaled down, a surplus Pod, or a second Pod of its index): it was released, not counted";
}

/**
 * The condition is dated before the Pods are deleted, all in one sync (measured: of 67 Pods, each in its second or the next); with many Pods, or few
 * requests allowed, that takes a while. A Pod that was asked to go before was not taken away by the verdict: it may be what led to it.
 */
const VERDICT_MS = 60_000;

export function endedByVerdict({ job, at, hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  const ending = hadEnded ? undefined : verdictAt(job, at);
  if (ending === undefined) return undefined;
  const failed = ending.type === "FailureTarget" || ending.type === "Failed";
  const reason = ending.reason === undefined || ending.reason === "" ? "" : ` (${ending.reason})`;
  const cause = failed ? `the Job had failed${reason}` : `the Job was complete${reason}`;
  const said = job.failed ?? job.complete ?? job.reported;
  const refs = said === undefined ? [] : [jobFactRef(job, said, `had condition ${ending.type}${reason}`)];
  return { actor: "job-controller", cause, confidence: "likely", evidence: [evidence, ...refs] };
}

/** The condition that has the Job controller take active Pods away at that time. */
function verdictAt(job: JobObject, at: Instant): Condition | undefined {
  const [ending] = endingsOf(job);
  const since = ending?.lastTransitionAt;
  return since !== undefined && at >= since && at <= since + VERDICT_MS ? ending : undefined;
}

/** Whether the Pod was taken away because the Job was decided, as far as can be told: it is then no reason for the decision. */
export function isTakenByVerdict(pod: PodRecord, job: JobObject): boolean {
  const asked = pod.deletionRequested;
  return asked !== undefined && !endedBefore(pod, asked) && verdictAt(job, instantOf(asked)) !== undefined;
}

/** Logs from before schema 2 have the message instead: "Deleted pod: report-x7k2p". */
function relatedPod({ details, message }: EventHinted): string | undefined {
  return details?.about === "pod" ? details.name : message?.split(" ").at(-1);
}

/** The Event that the Job controller sends after it deleted a Pod. */
export function jobControllerEvent({ pod, job, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const { namespace = "", name = "" } = job.created ?? {};
  const podNamed = podName(pod);
  const hints = clusterContext.hints.get(hintKey({ kind: "Job", namespace, name })) ?? [];
  const event = hints.find(
    (hint) =>
      hint.kind === "EventHinted" && hint.reason === "SuccessfulDelete" && relatedPod(hint) === podNamed,
  );
  if (event === undefined) return undefined;
  const ref = clusterFactRef(event, `job/${name}`, `sent Event SuccessfulDelete about ${podNamed}`);
  return { actor: "job-controller", cause: releaseCause(job), confidence: "likely", evidence: [ref, evidence] };
}
