import { hintKey } from "../model/cluster-context.ts";
import { clusterEvidence, jobEvidence, podEvidence, podName } from "../model/evidence.ts";
import type { EventHinted, JobDeleted, JobDeletionRequested } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";
import { restartsOf } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Condition } from "../model/reported-status.ts";
import { endingsOf } from "../status/job-ending.ts";
import type { Attribution, DeletionCause } from "./attribution.ts";
import { isDisruptedBefore } from "./pod-deletion-by-disruption.ts";
import { endedBefore, type PodDeletionCase } from "./pod-deletion-case.ts";

/** Object times have whole seconds. */
const SECOND_MS = 1_000;

/** The garbage collector deleted the Pod because its Job was deleted. */
export function jobGone(known: PodDeletionCase): Attribution | undefined {
  const { job, evidence } = known;
  const going = job.deletionRequested ?? job.deleted;
  if (going === undefined || !wentBefore(going, known)) return undefined;
  const cause = { cause: job.deletionRequested === undefined ? "jobDeleted" : "jobBeingDeleted" } as const;
  const what = going.kind === "JobDeleted" ? "jobGone" : "jobDeletionRequested";
  const shown = jobEvidence(job, going, { what } as const);
  return { actor: "generic-garbage-collector", cause, confidence: "likely", evidence: [shown, evidence] };
}

/**
 * Whether the Job was deleted before the Pod's deletion was requested. A Job deleted in the background does not contain
 * that instant, only that of its last write, and object times have whole seconds. Then the resourceVersions decide:
 * nearly every cluster stores Jobs and Pods in one etcd. That is sufficient for an attribution, but not for a count
 * (docs/decisions/0008-known-totals.md).
 */
function wentBefore(going: JobDeletionRequested | JobDeleted, { deletion, at }: PodDeletionCase): boolean {
  const since = at - instantOf(going);
  if (going.kind === "JobDeletionRequested" && Math.abs(since) > SECOND_MS) return since > 0;
  return since >= -SECOND_MS && compareOrder(going, deletion) < 0;
}

/** The Pods of a Job that is being suspended are deleted when its condition is written. */
const SUSPENSION_MS = 60_000;

export function suspended({ job, pod, at, hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  const { reported } = job;
  const since = reported?.status.conditions.find(({ type, status }) => type === "Suspended" && status === "True");
  if (hadEnded || reported === undefined || !isSuspension(at, since)) return undefined;
  // A Pod with the finalizer at its deletion was not released by the Job controller, so another client deleted it.
  if (pod.tracked !== undefined && pod.deletionRequested?.tracked === true) return undefined;
  const shown = jobEvidence(job, reported, { what: "jobCondition", type: "Suspended" });
  const cause = { cause: "jobSuspended" } as const;
  return { actor: "job-controller", cause, confidence: "likely", evidence: [evidence, shown] };
}

function isSuspension(at: Instant, suspended: Condition | undefined): boolean {
  const since = suspended?.lastTransitionAt;
  return since !== undefined && at >= since - SECOND_MS && at <= since + SUSPENSION_MS;
}

/**
 * job-semantics 3.4: a release removes the finalizer before the deletion, and only the Job controller does that to a
 * running Pod.
 */
export function releasedByJobController({ pod, job, hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  const { deletionRequested, tracked, untracked } = pod;
  if (hadEnded || tracked === undefined || deletionRequested?.tracked !== false) return undefined;
  const off = untracked === undefined ? [] : [podEvidence(pod, untracked, { shows: { what: "finalizerOffBefore" } })];
  return { actor: "job-controller", cause: releaseCause(job), confidence: "likely", evidence: [...off, evidence] };
}

function releaseCause(job: JobObject): DeletionCause {
  const reported = job.reported?.status.conditions ?? [];
  const specified = [...(job.specified?.values() ?? [])];
  const wasSuspended = reported.some(({ type }) => type === "Suspended") || specified.some(({ spec }) => spec.suspend);
  return { cause: wasSuspended ? "suspendedOrScaledDown" : "notNeeded" };
}

/**
 * The controller dates the condition before it deletes the Pods, all in one sync (measured: of 67 Pods, each in its
 * second or the next). Many Pods or a low request limit make it slower. A Pod whose deletion was requested earlier was
 * not deleted by the verdict: it may have led to it.
 */
const VERDICT_MS = 60_000;

export function endedByVerdict({ pod, job, at, hadEnded, evidence }: PodDeletionCase): Attribution | undefined {
  const ending = hadEnded ? undefined : verdictTaking(pod, job, at);
  if (ending === undefined) return undefined;
  const { type } = ending;
  const reason = ending.reason === undefined || ending.reason === "" ? {} : { reason: ending.reason };
  const hasFailed = type === "FailureTarget" || type === "Failed";
  const cause: DeletionCause = { cause: hasFailed ? "jobFailed" : "jobComplete", ...reason };
  const report = job.failed ?? job.complete ?? job.reported;
  const shows = { what: "jobCondition", type, ...reason } as const;
  const shown = report === undefined ? [] : [jobEvidence(job, report, shows)];
  return { actor: "job-controller", cause, confidence: "likely", evidence: [evidence, ...shown] };
}

/**
 * The condition for which the Job controller deletes active Pods at that time. Their resourceVersions cannot decide:
 * the controller deletes the Pods before it writes the condition (25 of 25 measured), as any earlier deletion precedes
 * it.
 */
function verdictTaking(pod: PodRecord, job: JobObject, at: Instant): Condition | undefined {
  const [ending] = endingsOf(job);
  const since = ending?.lastTransitionAt;
  if (ending === undefined || since === undefined) return undefined;
  if (at === since && isOnlyFailure(pod, job, ending)) return undefined;
  return at >= since && at <= since + VERDICT_MS ? ending : undefined;
}

/**
 * A Job that runs one Pod at a time exceeds its backoffLimit with that Pod, so no other Pod is left to delete. A Pod
 * that was deleted in the second of the verdict therefore led to it. Only restarts in place can exceed the limit while
 * a Pod runs.
 */
function isOnlyFailure(pod: PodRecord, { specified }: JobObject, { reason }: Condition): boolean {
  if (reason !== "BackoffLimitExceeded" || specified === undefined || restartsOf(pod) > 0) return false;
  return [...specified.values()].every(({ spec }) => spec.parallelism === 1);
}

/**
 * Whether the Pod was deleted because the Job had ended, as far as is known; then it is no reason for the end. A Pod
 * that was preempted, evicted or lost with its node in the same second may be the reason.
 */
export function isTakenByVerdict(pod: PodRecord, job: JobObject): boolean {
  const deletion = pod.deletionRequested;
  if (deletion === undefined || endedBefore(pod, deletion) || isDisruptedBefore(pod, deletion)) return false;
  return verdictTaking(pod, job, instantOf(deletion)) !== undefined;
}

/** Logs from before schema 2 have the message instead: "Deleted pod: report-x7k2p". */
function relatedPod({ details, message }: EventHinted): string | undefined {
  return details?.about === "pod" ? details.name : message?.split(" ").at(-1);
}

/** The Event that the Job controller sends after deleting a Pod. */
export function jobControllerEvent({ pod, job, clusterContext, evidence }: PodDeletionCase): Attribution | undefined {
  const { namespace = "", name = "" } = job.created ?? {};
  const deleted = podName(pod);
  const hints = clusterContext.hints.get(hintKey({ kind: "Job", namespace, name })) ?? [];
  const event = hints.find(
    (hint) => hint.kind === "EventHinted" && hint.reason === "SuccessfulDelete" && relatedPod(hint) === deleted,
  );
  if (event === undefined) return undefined;
  const shown = clusterEvidence(event, { kind: "job", name }, { what: "jobControllerEvent", pod: deleted });
  return { actor: "job-controller", cause: releaseCause(job), confidence: "likely", evidence: [shown, evidence] };
}
