import { failedRunsOf } from "./cause-of-pod.ts";
import { beforeContainers, causeOfWaiting, unscheduled } from "./never-ran.ts";
import type { PodCause } from "./pod-cause.ts";
import type { WaitingCause, WaitingReason } from "./waiting-cause.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { silenceOf } from "../model/node-readiness.ts";
import { outcomeOf } from "../model/outcome.ts";
import { restartsOf } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

export interface PodWaiting {
  readonly reason: WaitingReason;
  readonly why: WaitingCause;
  readonly since: Instant;
}

interface WaitingContext {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
}

/** Why an active Pod does not run; `undefined` for one that runs, and for one that is only being started. */
export function waitingOfPod(pod: PodRecord, context: WaitingContext): PodWaiting | undefined {
  if (outcomeOf(pod) !== "Active") return undefined;
  return (
    withoutNode(pod) ??
    withoutScheduler(pod, context) ??
    onSilentNode(pod, context) ??
    inBackOff(pod, context) ??
    blocked(pod) ??
    beforeStart(pod, context)
  );
}

function withoutNode(pod: PodRecord): PodWaiting | undefined {
  const why = unscheduled(pod);
  if (why?.cause !== "notScheduled" || pod.observed?.unscheduled === undefined) return undefined;
  const gate = why.gates?.find((name) => name.startsWith(KUEUE));
  if (gate !== undefined) return { reason: "Queued", why: { cause: "queued", by: "Kueue" }, since: why.since };
  const isVolume = why.details?.causes.some(({ cause }) => cause === "volumeUnbound" || cause === "volumeMissing");
  return { reason: isVolume === true ? "Volume" : "Unschedulable", why, since: why.since };
}
/** A scheduler places a Pod within a second, or writes why it cannot. With thousands of Pods, that takes longer. */
const UNHANDLED_MS = 30_000;

function withoutScheduler(pod: PodRecord, { now }: WaitingContext): PodWaiting | undefined {
  const { created } = pod;
  if (created === undefined || isHandled(pod) || now - created.createdAt < UNHANDLED_MS) return undefined;
  const { podGroup, createdAt } = created;
  const why = podGroup === undefined ? UNHANDLED : ({ cause: "podGroupIncomplete", podGroup } as const);
  return { reason: "Unschedulable", why, since: createdAt };
}

const UNHANDLED = { cause: "unhandled" } as const;

/** Whether the scheduler or the kubelet has done something with the Pod, or said why not. */
function isHandled({ scheduled, started, observed, ended }: PodRecord): boolean {
  const isPlaced = scheduled !== undefined || started !== undefined || (ended?.size ?? 0) > 0;
  return isPlaced || observed?.unscheduled !== undefined || observed?.waiting !== undefined;
}

/** Labels, annotations and scheduling gates of Kueue begin with it. */
export const KUEUE = "kueue.x-k8s.io/";

/** A Pod that was running when its node fell silent may still run: that is a finding of its own. */
function onSilentNode(pod: PodRecord, { clusterContext }: WaitingContext): PodWaiting | undefined {
  const node = pod.scheduled?.node;
  if (node === undefined || pod.started !== undefined) return undefined;
  const silence = silenceOf(node, clusterContext);
  return silence && { reason: "NodeNotReady", why: { cause: "nodeNotReady", node }, since: silence.since };
}

function inBackOff(pod: PodRecord, context: WaitingContext): PodWaiting | undefined {
  const { observed } = pod;
  if (observed?.waiting?.reason !== "CrashLoopBackOff") return undefined;
  const last = failedRunsOf(pod, context).at(-1)?.why;
  const { container } = observed.waiting;
  const why: WaitingCause = { cause: "backOff", container, restarts: restartsOf(pod), ...(last && { last }) };
  return { reason: "BackOff", why, since: firstEndOf(pod) ?? instantOf(observed) };
}

function firstEndOf(pod: PodRecord): Instant | undefined {
  const ends = [...(pod.ended?.values() ?? [])].flatMap(({ finishedAt }) => finishedAt ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The first observation says since when, and the latest one says why. */
function blocked(pod: PodRecord): PodWaiting | undefined {
  const { observed } = pod;
  const why = observed && causeOfWaiting(pod, observed);
  if (observed === undefined || why === undefined) return undefined;
  const since = instantOf(pod.waited ?? observed);
  return { reason: reasonOf(why), why: { ...why, ...("since" in why && { since }) }, since };
}

function reasonOf(why: PodCause): WaitingReason {
  return why.cause === "imageNotPulled" ? "ImagePull" : "ContainerConfig";
}

/** Only Events report problems with volumes and sandboxes. Such a problem is over once a container has started. */
function beforeStart(pod: PodRecord, { clusterContext }: WaitingContext): PodWaiting | undefined {
  if (pod.started !== undefined || (pod.ended?.size ?? 0) > 0) return undefined;
  const why = beforeContainers(pod, clusterContext);
  if (why === undefined) return undefined;
  return { reason: why.cause === "volumeNotMounted" ? "Volume" : "ContainerConfig", why, since: why.since };
}
