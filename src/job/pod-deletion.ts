import type { Attribution, FactRef } from "./answer.ts";
import type { Surroundings } from "./cluster-record.ts";
import { actorOf, initiatorOf } from "./deletion-request.ts";
import type {
  EventHinted,
  JobDeleted,
  JobDeletionRequested,
  PodDeleted,
  PodDeletionRequested,
  PodDisrupted,
} from "./fact.ts";
import { durationText } from "./duration-text.ts";
import { clusterFactRef, jobFactRef, podFactRef, podName } from "./fact-ref.ts";
import { instantOf } from "./fact-instant.ts";
import { hintKey } from "./cluster-record.ts";
import type { Instant } from "./instant.ts";
import { endingsOf } from "./job-ending.ts";
import type { JobObject } from "./job-record.ts";
import { goneBy, standText, unreadyBetween } from "./node-history.ts";
import { compareOrder, type Order } from "./order.ts";
import { firstEnd } from "./outcome.ts";
import { endedAt } from "./pod-end.ts";
import type { Condition } from "./reported-status.ts";
import type { PodRecord } from "./pod-record.ts";

/** A Pod's deletion and what is known around it. */
interface Case {
  readonly pod: PodRecord;
  readonly job: JobObject;
  readonly surroundings: Surroundings;
  /** The first sight of its deletion; where nobody saw that, of the Pod being gone. */
  readonly asked: PodDeletionRequested | PodDeleted;
  /** When it was asked for; where nobody saw that, when the Pod was last heard of. */
  readonly at: Instant;
  /** The Pod had come to its end before. */
  readonly hadEnded: boolean;
  /** The deletion itself, as the first piece of evidence. */
  readonly evidence: FactRef;
}
type Cause = (deletion: Case) => Attribution | undefined;

/**
 * Who took a Pod away, and why: by the audit log where it tells, else by what the Pod, its Job and its node show (job-semantics 13).
 * `undefined` while nobody asked for the Pod to go, and where it merely vanished and nothing tells how.
 */
export function attributePodDeletion(
  pod: PodRecord,
  job: JobObject,
  surroundings: Surroundings,
): Attribution | undefined {
  const asked = pod.deletionRequested ?? pod.deleted;
  const initiator = initiatorOf(soughtPod(pod), surroundings);
  if (asked === undefined && initiator === undefined) return undefined;
  if (asked === undefined) return initiator === undefined ? undefined : byRequest(initiator, undefined, []);
  const at = instantOf(asked);
  const hadEnded = endedBefore(pod, asked);
  const evidence = podFactRef(pod, asked, askedText(pod, at, hadEnded));
  const deletion = { pod, job, surroundings, asked, at, hadEnded, evidence };
  const inferred = firstOf(CAUSES, deletion);
  return initiator === undefined ? inferred : byRequest(initiator, inferred, [evidence]);
}

/**
 * In this order: the first that fits is named. What names the Pod itself comes first, then what happened to its Job, then to its node.
 * The Job controller's own Event says who, but not why: a suspension or a verdict of that time comes before it.
 */
const CAUSES: readonly Cause[] = [
  disrupted,
  taintEvent,
  suspended,
  endedByVerdict,
  jobControllerEvent,
  jobGone,
  releasedByJobController,
  nodeGone,
  nodeUnready,
  terminatedPodGc,
  unknownRequest,
];

/** Whether the Pod was over when it was asked to go; where both were seen at once, by its containers' own account. */
function endedBefore(pod: PodRecord, asked: PodDeletionRequested | PodDeleted): boolean {
  const end = firstEnd(pod);
  if (end === undefined) return false;
  const order = compareOrder(end, asked);
  return order < 0 || (order === 0 && (endedAt(pod) ?? end.at) <= instantOf(asked));
}

function firstOf(causes: readonly Cause[], deletion: Case): Attribution | undefined {
  for (const cause of causes) {
    const attribution = cause(deletion);
    if (attribution !== undefined) return attribution;
  }
  return undefined;
}

/** Who writes which DisruptionTarget before it deletes (KEP-3329). The kubelet's own is no deletion: it ends the Pod and leaves it. */
const DISRUPTIONS: ReadonlyMap<string, readonly [actor: string, cause: string]> = new Map([
  ["DeletionByPodGC", ["pod-garbage-collector", "its node is gone or out of service"]],
  ["DeletionByTaintManager", ["node-controller", "it did not tolerate a NoExecute taint of its node"]],
  [
    "EvictionByEvictionAPI",
    ["eviction-api", "it was evicted through the eviction API, as a drain or an autoscaler does"],
  ],
  ["PreemptionByScheduler", ["kube-scheduler", "it was preempted for a Pod of higher priority"]],
  ["PreemptionByKubeScheduler", ["kube-scheduler", "it was preempted for a Pod of higher priority"]],
]);
/** They write the condition and delete at once, as fast as the API server lets them. */
const DISRUPTION_MS = 10_000;
/** A condition whose deletion failed is cleared after about two minutes: an older one may be about something else. */
const STALE_DISRUPTION_MS = 120_000;

function disrupted({ pod, asked, at, evidence }: Case): Attribution | undefined {
  const { disrupted: disruption } = pod;
  const known = disruption === undefined ? undefined : DISRUPTIONS.get(disruption.reason);
  // Who writes the condition after somebody else had asked for the Pod to go came too late.
  if (disruption === undefined || known === undefined || compareOrder(disruption, asked) > 0) return undefined;
  const [actor, cause] = known;
  const ref = podFactRef(pod, disruption, `was marked as DisruptionTarget: ${disruption.reason}`);
  return { actor, cause, confidence: disruptionConfidence(disruption, asked, at), evidence: [ref, evidence] };
}

function disruptionConfidence(disruption: PodDisrupted, asked: Order, at: Instant): Attribution["confidence"] {
  const age = at - instantOf(disruption);
  if (age > STALE_DISRUPTION_MS) return "possible";
  // Seen at once, nobody can tell which was first; and the condition does not name who called the eviction API: only the way is certain then.
  const isFirst = compareOrder(disruption, asked) < 0;
  return isFirst && age <= DISRUPTION_MS && disruption.reason !== "EvictionByEvictionAPI" ? "certain" : "likely";
}

function jobGone({ job, asked, at, evidence }: Case): Attribution | undefined {
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
 * which is enough for a guess, and for no count (docs/decisions/0010-known-totals.md).
 */
function wentBefore(going: JobDeletionRequested | JobDeleted, asked: Order, at: Instant): boolean {
  const since = at - instantOf(going);
  if (going.kind === "JobDeletionRequested" && Math.abs(since) > CUT_MS) return since > 0;
  return since >= -CUT_MS && compareOrder(going, asked) < 0;
}
const CUT_MS = 1_000;

/** The Pods of a Job that is being suspended are deleted with the writing of its condition. */
const SUSPENSION_MS = 60_000;

function suspended({ job, pod, at, hadEnded, evidence }: Case): Attribution | undefined {
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
function releasedByJobController({ pod, job, hadEnded, evidence }: Case): Attribution | undefined {
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

function endedByVerdict({ job, at, hadEnded, evidence }: Case): Attribution | undefined {
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

/** The taint manager and the Job controller are the only deleters that send core Events (measured). */
function taintEvent({ pod, at, surroundings, evidence }: Case): Attribution | undefined {
  const { namespace = "", name = "" } = pod.created ?? {};
  const hints = surroundings.hints.get(hintKey({ kind: "Pod", namespace, name })) ?? [];
  const event = hints.find((hint) => hint.kind === "EventHinted" && isTaintEviction(hint, pod, at));
  if (event === undefined) return undefined;
  const ref = clusterFactRef(event, `pod/${name}`, "was marked for deletion by the taint manager");
  const cause = "it did not tolerate a NoExecute taint of its node";
  return { actor: "node-controller", cause, confidence: "likely", evidence: [ref, evidence] };
}

/** The event is sent before the deletion; under the same reason the taint manager says that it thought better of it ("Cancelling deletion"). */
function isTaintEviction({ reason, message, target, firstAt }: EventHinted, pod: PodRecord, at: Instant): boolean {
  if (reason !== "TaintManagerEviction" || message?.startsWith("Cancelling") === true) return false;
  return firstAt <= at && (target.uid === undefined || target.uid === pod.uid);
}

function jobControllerEvent({ pod, job, surroundings, evidence }: Case): Attribution | undefined {
  const { namespace = "", name = "" } = job.created ?? {};
  const podNamed = podName(pod);
  const hints = surroundings.hints.get(hintKey({ kind: "Job", namespace, name })) ?? [];
  const event = hints.find(
    (hint) =>
      hint.kind === "EventHinted" && hint.reason === "SuccessfulDelete" && hint.message?.split(" ").at(-1) === podNamed,
  );
  if (event === undefined) return undefined;
  const ref = clusterFactRef(event, `job/${name}`, `sent Event SuccessfulDelete about ${podNamed}`);
  return { actor: "job-controller", cause: releaseCause(job), confidence: "likely", evidence: [ref, evidence] };
}

function nodeGone({ pod, at, hadEnded, surroundings, evidence }: Case): Attribution | undefined {
  const gone = hadEnded ? undefined : goneBy(pod.scheduled?.node, at, surroundings);
  // Pod GC leaves no grace: nobody is there to use it.
  if (gone === undefined || (pod.deletionRequested?.graceSeconds ?? 0) > 0) return undefined;
  const ref = clusterFactRef(gone, `node/${gone.node}`, "was gone");
  const confidence = withoutCondition(pod);
  return { actor: "pod-garbage-collector", cause: "its node is gone", confidence, evidence: [ref, evidence] };
}

function nodeUnready({ pod, at, hadEnded, surroundings, evidence }: Case): Attribution | undefined {
  const stand = hadEnded ? undefined : unreadyBetween(pod.scheduled?.node, at, at, surroundings);
  // Where the taint manager's condition came after the deletion, somebody was faster.
  if (stand === undefined || pod.disrupted !== undefined) return undefined;
  const ref = clusterFactRef(stand, `node/${stand.node}`, `was ${standText(stand)}`);
  const cause = `its node was ${standText(stand)} for longer than it tolerates`;
  return { actor: "node-controller", cause, confidence: withoutCondition(pod), evidence: [ref, evidence] };
}

/** Servers that count by finalizer for good (1.26 and later) also write DisruptionTarget before they take a Pod away: without it they hardly did. */
function withoutCondition(pod: PodRecord): Attribution["confidence"] {
  return pod.tracked === undefined ? "likely" : "possible";
}

/** A Pod that had ended, while its Job stays: no other controller has a reason to delete it, though anybody may. */
function terminatedPodGc({ hadEnded, evidence }: Case): Attribution | undefined {
  if (!hadEnded) return undefined;
  const cause = "there were more terminated Pods in the cluster than --terminated-pod-gc-threshold allows";
  return { actor: "pod-garbage-collector", cause, confidence: "possible", evidence: [evidence] };
}

function unknownRequest({ evidence }: Case): Attribution {
  const cause = "a person or a program asked for it: no controller's reason fits, and no audit event tells who";
  return { actor: "unknown", cause, confidence: "possible", evidence: [evidence] };
}

function askedText(pod: PodRecord, at: Instant, hadEnded: boolean): string {
  const phase = firstEnd(pod)?.phase;
  const end = endedAt(pod);
  if (!hadEnded || phase === undefined || end === undefined) return "was asked to go before it had ended";
  const word = phase === "Succeeded" ? "succeeded" : "failed";
  return `was asked to go ${durationText(at - end)} after it had ${word}`;
}

function soughtPod(pod: PodRecord): Parameters<typeof initiatorOf>[0] {
  const requestedAt = pod.deletionRequested?.requestedAt;
  return {
    target: { kind: "Pod", namespace: pod.created?.namespace ?? "", name: podName(pod) },
    uid: pod.uid,
    from: pod.created?.createdAt ?? 0,
    ...(requestedAt !== undefined && { to: requestedAt }),
  };
}

/** The audit log names who asked; the reason stays the inferred one where the two agree. */
function byRequest(
  initiator: NonNullable<ReturnType<typeof initiatorOf>>,
  inferred: Attribution | undefined,
  evidence: readonly FactRef[],
): Attribution {
  const actor = actorOf(initiator.user);
  const evicted = initiator.subresource === "eviction";
  const ref = clusterFactRef(
    initiator,
    `pod/${initiator.target.name}`,
    `was ${evicted ? "evicted" : "deleted"} by a request of ${initiator.user}`,
  );
  const agrees = inferred !== undefined && (inferred.actor === actor || (evicted && inferred.actor === "eviction-api"));
  const cause = agrees ? inferred.cause : (REASONS.get(actor) ?? requestCause(initiator.user, evicted));
  return { actor, cause, confidence: "certain", evidence: [...(agrees ? inferred.evidence : evidence), ref] };
}

/** What a controller deletes Pods for, where nothing else was seen. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["pod-garbage-collector", "Pod garbage collection: too many terminated Pods, or a lost node"],
  ["job-controller", "the Job controller did not want it any more"],
  ["generic-garbage-collector", "its owner was deleted"],
  ["node-controller", "it did not tolerate a NoExecute taint of its node"],
  ["taint-eviction-controller", "it did not tolerate a NoExecute taint of its node"],
  ["kube-scheduler", "it was preempted for a Pod of higher priority"],
]);

function requestCause(user: string, evicted: boolean): string {
  return evicted ? `${user} evicted it` : `${user} deleted it`;
}
