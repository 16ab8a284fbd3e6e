import type { Attribution, FactRef } from "./answer.ts";
import type { Surroundings } from "./cluster-record.ts";
import { actorOf, initiatorOf } from "./deletion-request.ts";
import { durationText } from "./duration-text.ts";
import { clusterFactRef, jobFactRef, podFactRef, podName } from "./fact-ref.ts";
import { instantOf } from "./fact-instant.ts";
import { hintKey } from "./cluster-record.ts";
import type { Instant } from "./instant.ts";
import { endingsOf } from "./job-ending.ts";
import type { JobObject } from "./job-record.ts";
import { goneBy, standText, unreadyBetween } from "./node-history.ts";
import { compareOrder } from "./order.ts";
import { firstEnd } from "./outcome.ts";
import { endedAt } from "./pod-end.ts";
import type { PodRecord } from "./pod-record.ts";

/** A Pod's deletion and what is known around it. */
interface Case {
  readonly pod: PodRecord;
  readonly job: JobObject;
  readonly surroundings: Surroundings;
  /** When it was asked for; where nobody saw that, when the Pod was seen gone. */
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
  const terminal = firstEnd(pod);
  const at = instantOf(asked);
  const hadEnded = terminal !== undefined && compareOrder(terminal, asked) < 0;
  const evidence = podFactRef(pod, asked, askedText(pod, at, hadEnded));
  const deletion = { pod, job, surroundings, at, hadEnded, evidence };
  const inferred = firstOf(CAUSES, deletion);
  return initiator === undefined ? inferred : byRequest(initiator, inferred, [evidence]);
}

/** In this order: the first that fits is named. */
const CAUSES: readonly Cause[] = [
  disrupted,
  jobGone,
  releasedByJobController,
  endedByVerdict,
  taintEvent,
  jobControllerEvent,
  nodeGone,
  nodeUnready,
  terminatedPodGc,
  unknownRequest,
];

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
/** A condition whose deletion failed is cleared after about two minutes: an older one may be about something else. */
const STALE_DISRUPTION_MS = 120_000;

function disrupted({ pod, at, evidence }: Case): Attribution | undefined {
  const { disrupted: disruption } = pod;
  const known = disruption === undefined ? undefined : DISRUPTIONS.get(disruption.reason);
  if (disruption === undefined || known === undefined) return undefined;
  const [actor, cause] = known;
  const age = at - instantOf(disruption);
  const ref = podFactRef(pod, disruption, `was marked as DisruptionTarget: ${disruption.reason}`);
  // The condition does not name who called the eviction API: only the way is certain then.
  const certain = age <= STALE_DISRUPTION_MS && disruption.reason !== "EvictionByEvictionAPI";
  return { actor, cause, confidence: certain ? "certain" : "likely", evidence: [ref, evidence] };
}

function jobGone({ job, at, evidence }: Case): Attribution | undefined {
  const going = job.deletionRequested ?? job.deleted;
  // Object times are cut to whole seconds, and the two deletions are often within one.
  if (going === undefined || instantOf(going) > at + 1_000) return undefined;
  const cause =
    job.deletionRequested === undefined ? "its Job was deleted" : "its Job was being deleted, and its Pods with it";
  const ref = jobFactRef(job, going, going.kind === "JobDeleted" ? "was gone" : "was asked to go");
  return { actor: "generic-garbage-collector", cause, confidence: "likely", evidence: [ref, evidence] };
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

/** Pods are asked to go up to this long before the condition is written, and seen so a second after (measured: all 25 within 2 s). */
const VERDICT_BEFORE_MS = 5_000;
const VERDICT_AFTER_MS = 2_000;

function endedByVerdict({ job, at, hadEnded, evidence }: Case): Attribution | undefined {
  if (hadEnded) return undefined;
  const ending = endingsOf(job).find(
    ({ lastTransitionAt }) =>
      lastTransitionAt !== undefined &&
      at >= lastTransitionAt - VERDICT_BEFORE_MS &&
      at <= lastTransitionAt + VERDICT_AFTER_MS,
  );
  if (ending === undefined) return undefined;
  const failed = ending.type === "FailureTarget" || ending.type === "Failed";
  const reason = ending.reason === undefined || ending.reason === "" ? "" : ` (${ending.reason})`;
  const cause = failed ? `the Job had failed${reason}` : `the Job was complete${reason}`;
  const said = job.failed ?? job.complete ?? job.reported;
  const refs = said === undefined ? [] : [jobFactRef(job, said, `had condition ${ending.type}${reason}`)];
  return { actor: "job-controller", cause, confidence: "likely", evidence: [evidence, ...refs] };
}

/** The taint manager and the Job controller are the only deleters that send core Events (measured). */
function taintEvent({ pod, surroundings, evidence }: Case): Attribution | undefined {
  const { namespace = "", name = "" } = pod.created ?? {};
  const hints = surroundings.hints.get(hintKey({ kind: "Pod", namespace, name })) ?? [];
  const event = hints.find((hint) => hint.kind === "EventHinted" && hint.reason === "TaintManagerEviction");
  if (event === undefined) return undefined;
  const ref = clusterFactRef(event, `pod/${name}`, "was marked for deletion by the taint manager");
  const cause = "it did not tolerate a NoExecute taint of its node";
  return { actor: "node-controller", cause, confidence: "likely", evidence: [ref, evidence] };
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
  if (gone === undefined) return undefined;
  const ref = clusterFactRef(gone, `node/${gone.node}`, "was gone");
  return { actor: "pod-garbage-collector", cause: "its node is gone", confidence: "likely", evidence: [ref, evidence] };
}

function nodeUnready({ pod, at, hadEnded, surroundings, evidence }: Case): Attribution | undefined {
  const stand = hadEnded ? undefined : unreadyBetween(pod.scheduled?.node, at, at, surroundings);
  if (stand === undefined) return undefined;
  const ref = clusterFactRef(stand, `node/${stand.node}`, `was ${standText(stand)}`);
  const cause = `its node was ${standText(stand)} for longer than it tolerates`;
  return { actor: "node-controller", cause, confidence: "likely", evidence: [ref, evidence] };
}

/** A Pod that had ended, while its Job stays: nobody but Pod GC has a reason to delete it, though anybody may. */
function terminatedPodGc({ hadEnded, evidence }: Case): Attribution | undefined {
  if (!hadEnded) return undefined;
  const cause = "there were more terminated Pods in the cluster than --terminated-pod-gc-threshold allows";
  return { actor: "pod-garbage-collector", cause, confidence: "likely", evidence: [evidence] };
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
