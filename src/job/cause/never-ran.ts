import { podEvents } from "./pod-events.ts";
import {
  detailsAbout,
  type NotScheduled,
  type PodCause,
  type SandboxFailed,
  type VolumeNotMounted,
} from "./pod-cause.ts";
import { containerRef } from "./failed-run.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import type { EventHinted, PodObserved } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { SchedulingDetails } from "../model/message-details.ts";
import { isBetweenRuns, isPlaceholder, type PodRecord } from "../model/pod-record.ts";

/** Why no container of the Pod ever ran: what it waited for, by its earlier observations and its Events. */
export function causeOfNeverRunning(pod: PodRecord, context: ClusterContext): PodCause | undefined {
  if (hasRunContainer(pod)) return undefined;
  return blockedContainer(pod) ?? beforeContainers(pod, context) ?? unscheduled(pod);
}

/** Whether a container ran, as far as its ends and its phase show. A placeholder end shows nothing. */
export function hasRunContainer(pod: PodRecord): boolean {
  if (pod.started !== undefined) return true;
  return [...(pod.ended?.values() ?? [])].some((end) => !isPlaceholder(end));
}

/** Reasons for which an image could not be pulled or used. */
const IMAGE_REASONS: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "ErrImageNeverPull",
  "InvalidImageName",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** What the first waiting container waited for: the last observation before the end often shows ContainerCreating. */
export function blockedContainer(pod: PodRecord): PodCause | undefined {
  const { waited } = pod;
  return waited === undefined ? undefined : causeOfWaiting(pod, waited);
}

/** Why a container waits, in an observation of the Pod. */
export function causeOfWaiting(pod: PodRecord, observed: PodObserved): PodCause | undefined {
  const { waiting } = observed;
  if (waiting === undefined || isBetweenRuns(waiting.reason)) return undefined;
  const { reason } = waiting;
  const { container } = waiting;
  const ref = containerRef(pod, { container, ...(isInit(pod, container) && { init: true }) });
  const since = instantOf(observed);
  if (IMAGE_REASONS.has(reason)) {
    const problem = detailsAbout(waiting.details, "image")?.problem;
    return { cause: "imageNotPulled", ...ref, reason, ...(problem !== undefined && { problem }), since };
  }
  const details = detailsAbout(waiting.details, "start", "missing");
  return { cause: "containerNotStarted", ...ref, reason, ...(details !== undefined && { details }), since };
}

function isInit({ created }: PodRecord, container: string): boolean {
  const mains = created?.containers ?? [];
  return mains.length > 0 && !mains.includes(container);
}

const VOLUME_REASONS: ReadonlySet<string> = new Set(["FailedMount", "FailedAttachVolume", "FailedMapVolume"]);

/** What kept the kubelet from creating the first container: only Events show it. */
export function beforeContainers(
  pod: PodRecord,
  context: ClusterContext,
): VolumeNotMounted | SandboxFailed | undefined {
  return unmountedVolume(pod, context) ?? failedSandbox(pod, context);
}

/** A Pod that could not mount a volume is ContainerCreating until it ends. */
function unmountedVolume(pod: PodRecord, context: ClusterContext): VolumeNotMounted | undefined {
  const events = podEvents(pod, context).filter(
    ({ reason, details }) => VOLUME_REASONS.has(reason) && detailsAbout(details, "volume")?.problem !== "notRegistered",
  );
  const event = events.find(({ details }) => details?.about === "missing") ?? events[0];
  if (event === undefined) return undefined;
  const details = detailsAbout(event.details, "volume", "missing");
  return {
    cause: "volumeNotMounted",
    reason: event.reason,
    ...(details !== undefined && { details }),
    since: firstOf(events),
  };
}

const SETUP_REASONS: ReadonlySet<string> = new Set([
  "FailedCreatePodSandBox",
  "FailedCreatePodContainer",
  "FailedPrepareDynamicResources",
  "NetworkNotReady",
]);

function failedSandbox(pod: PodRecord, context: ClusterContext): SandboxFailed | undefined {
  const events = podEvents(pod, context).filter(({ reason }) => SETUP_REASONS.has(reason));
  const event = events.find(({ details }) => details !== undefined) ?? events[0];
  if (event === undefined) return undefined;
  const details = detailsAbout(event.details, "start", "missing");
  const node = pod.scheduled?.node;
  return {
    cause: "sandboxFailed",
    reason: event.reason,
    ...(details !== undefined && { details }),
    ...(node !== undefined && { node }),
    since: firstOf(events),
  };
}

function firstOf(events: readonly EventHinted[]): number {
  return Math.min(...events.map(({ firstAt }) => firstAt));
}

/** The scheduler found no node. The first observation says since when, and the latest one says why. */
export function unscheduled(pod: PodRecord): PodCause | undefined {
  const first = pod.unscheduled;
  if (first?.unscheduled === undefined || pod.scheduled !== undefined) return undefined;
  const latest = pod.observed?.unscheduled ?? first.unscheduled;
  const { reason, gates } = latest;
  const details = schedulingDetails(latest, first.unscheduled);
  return {
    cause: "notScheduled",
    reason: reason === "" ? "Unschedulable" : reason,
    ...(details !== undefined && { details }),
    ...(gates !== undefined && { gates }),
    ...podGroupOf(pod),
    since: first.unscheduled.since ?? instantOf(first),
  };
}

function podGroupOf({ created }: PodRecord): Pick<NotScheduled, "podGroup"> {
  return created?.podGroup === undefined ? {} : { podGroup: created.podGroup };
}

/** The latest details of those that have some. */
function schedulingDetails(latest: Unscheduled, first: Unscheduled): SchedulingDetails | undefined {
  return detailsAbout(latest.details, "scheduling") ?? detailsAbout(first.details, "scheduling");
}

type Unscheduled = NonNullable<PodObserved["unscheduled"]>;
