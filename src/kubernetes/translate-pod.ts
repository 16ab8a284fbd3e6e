import type { PodCondition, PodCreated, PodFact, PodObserved, PodTerminated, Stamp } from "../job/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../job/ids.ts";
import { type Instant, parseInstant } from "../job/instant.ts";
import { MAX_CONDITIONS, MAX_CONTAINERS, MAX_NAME_LENGTH, cutText } from "./bounds.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { type ContainerStatus, latestOfContainers, readContainerStatuses } from "./container-status.ts";
import { countOf, fieldsOf, itemsOf, type JsonObject, textOf } from "./json-field.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { controllerOf } from "./owner-reference.ts";
import { type ChangeType, ignored, rejected, type TranslateOptions, type Translated } from "./translated.ts";

const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";
const INDEX = "batch.kubernetes.io/job-completion-index";
const INDEX_FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";
const INDEX_IGNORED_FAILURE_COUNT = "batch.kubernetes.io/job-index-ignored-failure-count";
/** The label that names the Job by uid: since 1.27, and before. */
const CONTROLLER_UID_LABELS = ["batch.kubernetes.io/controller-uid", "controller-uid"];
const MAX_INT32 = 2_147_483_647;

/** What every fact of one sight of one Pod begins with. */
interface PodStamp extends Stamp {
  readonly jobUid: JobUid;
  readonly podUid: PodUid;
}

/** One sight of a Pod, read once for all its facts. */
interface PodSight {
  readonly stamp: PodStamp;
  readonly type: ChangeType;
  readonly metadata: Metadata;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly phase: string;
  readonly tracked: boolean;
  readonly conditions: readonly RawCondition[];
  readonly containers: readonly ContainerStatus[];
  readonly containerMessages: boolean;
}

/** All facts that a Pod at this resourceVersion is evidence of (docs/facts.md). Only a Pod that is or was a Job's has any. */
export function translatePod(type: ChangeType, pod: JsonObject, options: TranslateOptions): Translated {
  if ((pod["apiVersion"] ?? "v1") !== "v1") return ignored("The Pod is not one of v1.");
  const job = jobOf(fieldsOf(pod["metadata"]));
  if (job === undefined) return ignored("The Pod belongs to no Job.");
  const jobUid = decodeJobUid(job.uid);
  if (jobUid === undefined) return rejected(job.path, "The Job that the Pod belongs to has no readable uid.");
  const metadata = readMetadata(pod, "namespaced");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const podUid = decodePodUid(metadata.uid);
  if (podUid === undefined) return rejected("object.metadata.uid", "The Pod's uid cannot be read.");
  const sight = lookAt(type, pod, metadata, { jobUid, podUid }, options);
  return { outcome: "translated", facts: factsOfSight(sight, job.released) };
}

function lookAt(
  type: ChangeType,
  pod: JsonObject,
  metadata: Metadata,
  ids: { readonly jobUid: JobUid; readonly podUid: PodUid },
  options: TranslateOptions,
): PodSight {
  const status = fieldsOf(pod["status"]);
  const conditions = readConditions(status);
  const containers = readContainerStatuses(status);
  const at = Math.max(
    latestOfMetadata(metadata),
    parseInstant(status["startTime"]) ?? 0,
    latestTransition(conditions),
    latestOfContainers(containers),
  );
  return {
    stamp: {
      epoch: options.epoch,
      resourceVersion: metadata.resourceVersion,
      at,
      jobUid: ids.jobUid,
      podUid: ids.podUid,
    },
    type,
    metadata,
    spec: fieldsOf(pod["spec"]),
    status,
    phase: textOf(status["phase"]) ?? "",
    tracked: itemsOf(metadata.fields["finalizers"]).includes(TRACKING_FINALIZER),
    conditions,
    containers,
    containerMessages: options.containerMessages,
  };
}

function factsOfSight(sight: PodSight, released: boolean): readonly PodFact[] {
  const { stamp, type, tracked, metadata } = sight;
  const facts: PodFact[] = [podCreated(sight)];
  // A DELETED event may still list the finalizer whose removal was the deletion, and never proves that it was off before.
  if (tracked) facts.push({ ...stamp, kind: "PodTracked" });
  else if (type !== "DELETED") facts.push({ ...stamp, kind: "PodUntracked" });
  addScheduled(facts, sight);
  addPhase(facts, sight);
  addEnds(facts, sight);
  addDisruption(facts, sight);
  if (metadata.deletion !== undefined) {
    facts.push({ ...stamp, kind: "PodDeletionRequested", ...metadata.deletion, phase: cutText(sight.phase), tracked });
  }
  if (released) facts.push({ ...stamp, kind: "PodReleased" });
  if (type === "DELETED") facts.push({ ...stamp, kind: "PodDeleted", tracked });
  return facts;
}

/**
 * The Job a Pod belongs to: its controller's, or, where nothing controls it any more, the one its label names. Such a Pod was
 * orphaned or released, and its owner reference may be gone before anybody saw it.
 */
function jobOf(metadata: JsonObject): { uid: unknown; path: string; released: boolean } | undefined {
  const controller = controllerOf(metadata);
  if (controller !== undefined) {
    const isJob = controller["kind"] === "Job" && controller["apiVersion"] === "batch/v1";
    return isJob ? { uid: controller["uid"], path: "object.metadata.ownerReferences", released: false } : undefined;
  }
  const labels = fieldsOf(metadata["labels"]);
  for (const label of CONTROLLER_UID_LABELS) {
    const uid = textOf(labels[label]);
    if (uid !== undefined) return { uid, path: `object.metadata.labels['${label}']`, released: true };
  }
  return undefined;
}

function podCreated({ stamp, metadata, spec, status }: PodSight): PodCreated {
  const annotations = fieldsOf(metadata.fields["annotations"]);
  const index = indexOf(annotations[INDEX]);
  const indexFailureCount = failureCountOf(annotations[INDEX_FAILURE_COUNT]);
  const indexIgnoredFailureCount = failureCountOf(annotations[INDEX_IGNORED_FAILURE_COUNT]);
  const activeDeadlineSeconds = countOf(spec["activeDeadlineSeconds"]);
  const containers = namesOf(Array.isArray(spec["containers"]) ? spec["containers"] : status["containerStatuses"]);
  const sidecars = namesOf(itemsOf(spec["initContainers"]).filter(isSidecar));
  const truncated = containers.length > MAX_CONTAINERS || sidecars.length > MAX_CONTAINERS;
  return {
    ...stamp,
    kind: "PodCreated",
    namespace: metadata.namespace,
    name: metadata.name,
    createdAt: metadata.createdAt ?? stamp.at,
    ...(index !== undefined && { index }),
    ...(indexFailureCount !== undefined && { indexFailureCount }),
    ...(indexIgnoredFailureCount !== undefined && { indexIgnoredFailureCount }),
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    containers: containers.slice(0, MAX_CONTAINERS),
    ...(sidecars.length > 0 && { sidecars: sidecars.slice(0, MAX_CONTAINERS) }),
    ...(truncated && { truncated }),
  };
}

/** A whole number of at least 0, read as upstream reads it (Go's `strconv.Atoi`: a sign and leading zeros are allowed). */
function indexOf(annotation: unknown): number | undefined {
  if (typeof annotation !== "string" || !/^[+-]?[0-9]+$/.test(annotation)) return undefined;
  const index = Number(annotation);
  return Number.isSafeInteger(index) && index >= 0 ? index + 0 : undefined;
}

/** job-semantics 7.1: what cannot be read, is negative or is above int32 reads as 0. */
function failureCountOf(annotation: unknown): number | undefined {
  if (annotation === undefined || annotation === null) return undefined;
  const count = indexOf(annotation);
  return count !== undefined && count <= MAX_INT32 ? count : 0;
}

function isSidecar(container: unknown): boolean {
  return fieldsOf(container)["restartPolicy"] === "Always";
}

function namesOf(containers: unknown): string[] {
  const names: string[] = [];
  for (const container of itemsOf(containers)) {
    const name = textOf(fieldsOf(container)["name"]);
    if (name !== undefined) names.push(cutText(name));
  }
  return names;
}

function addScheduled(facts: PodFact[], { stamp, spec, conditions }: PodSight): void {
  const node = textOf(spec["nodeName"]);
  if (node === undefined) return;
  const scheduled = conditions.find(({ type, status }) => type === "PodScheduled" && status === "True");
  const scheduledAt = scheduled?.lastTransitionAt;
  facts.push({
    ...stamp,
    kind: "PodScheduled",
    node: cutText(node, MAX_NAME_LENGTH),
    ...(scheduledAt !== undefined && { scheduledAt }),
  });
}

function addPhase(facts: PodFact[], sight: PodSight): void {
  const { stamp, phase } = sight;
  if (phase === "Succeeded" || phase === "Failed") {
    facts.push(podTerminated(sight, phase));
    return;
  }
  if (phase === "Running") {
    const startedAt = firstStart(sight);
    facts.push({ ...stamp, kind: "PodStarted", ...(startedAt !== undefined && { startedAt }) });
  }
  facts.push(podObserved(sight));
}

/** When the first container began that anybody knows of; else when the kubelet took the Pod on. */
function firstStart({ containers, status }: PodSight): Instant | undefined {
  let first: Instant | undefined;
  for (const container of containers) {
    if (container.init) continue;
    for (const startedAt of [container.runningSince, container.ended?.startedAt, container.endedBefore?.startedAt]) {
      if (startedAt !== undefined && (first === undefined || startedAt < first)) first = startedAt;
    }
  }
  return first ?? parseInstant(status["startTime"]);
}

function podObserved({ stamp, phase, conditions, containers }: PodSight): PodObserved {
  const readiness = conditions.find(({ type }) => type === "Ready");
  const ready = readiness?.status === "True";
  const unreadySince = ready ? undefined : readiness?.lastTransitionAt;
  const waiting = firstWaiting(containers);
  const running = phase === "Running" ? namesOfRunning(containers) : undefined;
  return {
    ...stamp,
    kind: "PodObserved",
    phase: phase === "Pending" || phase === "Running" || phase === "" ? phase : "Unknown",
    ready,
    restarts: containers.reduce((sum, { restartCount }) => sum + restartCount, 0),
    ...(waiting !== undefined && { waiting }),
    ...(running !== undefined && { running }),
    ...(unreadySince !== undefined && { unreadySince }),
  };
}

/** What a container waits for while all goes well. */
const WAITING_TO_START = new Set(["ContainerCreating", "PodInitializing"]);

function firstWaiting(containers: readonly ContainerStatus[]): PodObserved["waiting"] {
  for (const { name, waiting } of containers) {
    if (waiting === undefined || WAITING_TO_START.has(waiting.reason)) continue;
    const { reason, message } = waiting;
    return { container: name, reason: cutText(reason), ...(message !== undefined && { message: cutText(message) }) };
  }
  return undefined;
}

/** The containers that run, where the status lists containers and not all of them that should run do: then it is worth saying. */
function namesOfRunning(containers: readonly ContainerStatus[]): readonly string[] | undefined {
  if (containers.every(({ init, isRunning }) => init || isRunning)) return undefined;
  return containers.flatMap(({ name, isRunning }) => (isRunning ? [name] : [])).slice(0, MAX_CONTAINERS);
}

function podTerminated(
  { stamp, status, conditions, tracked, containers }: PodSight,
  phase: "Succeeded" | "Failed",
): PodTerminated {
  const reason = textOf(status["reason"]);
  const message = textOf(status["message"]);
  const stillRunning = containers.filter(({ isRunning }) => isRunning).map(({ name }) => name);
  const truncated = conditions.length > MAX_CONDITIONS || stillRunning.length > MAX_CONTAINERS;
  return {
    ...stamp,
    kind: "PodTerminated",
    phase,
    ...(reason !== undefined && { reason: cutText(reason) }),
    ...(message !== undefined && { message: cutText(message) }),
    conditions: conditions.slice(0, MAX_CONDITIONS).map(podCondition),
    tracked,
    ...(stillRunning.length > 0 && { stillRunning: stillRunning.slice(0, MAX_CONTAINERS) }),
    ...(truncated && { truncated }),
  };
}

/** Conditions that every Pod has: their reasons repeat the phase. */
const STANDARD_CONDITIONS = new Set([
  "PodScheduled",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodReadyToStartContainers",
]);

function podCondition({ type, status, reason, message, lastTransitionAt }: RawCondition): PodCondition {
  const told = !STANDARD_CONDITIONS.has(type);
  return {
    type,
    status,
    ...(told && reason !== undefined && { reason: cutText(reason) }),
    ...(told && message !== undefined && { message: cutText(message) }),
    ...(lastTransitionAt !== undefined && { lastTransitionAt }),
  };
}

function addEnds(facts: PodFact[], { stamp, containers, containerMessages }: PodSight): void {
  for (const { name, init, restartCount, ended, endedBefore } of containers) {
    // `state` is the run that `restartCount` restarts came before; `lastState` the one just before it.
    for (const [end, run] of [
      [endedBefore, Math.max(0, restartCount - 1)],
      [ended, restartCount],
    ] as const) {
      if (end === undefined) continue;
      const { exitCode, signal, reason, message, startedAt, finishedAt } = end;
      facts.push({
        ...stamp,
        kind: "ContainerEnded",
        container: name,
        ...(init && { init }),
        restartCount: run,
        exitCode,
        ...(signal !== undefined && { signal }),
        ...(reason !== undefined && { reason: cutText(reason) }),
        ...(containerMessages && message !== undefined && { message: cutText(message) }),
        ...(startedAt !== undefined && { startedAt }),
        ...(finishedAt !== undefined && { finishedAt }),
      });
    }
  }
}

function addDisruption(facts: PodFact[], { stamp, conditions }: PodSight): void {
  const disruption = conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  if (disruption === undefined) return;
  const { reason, message, lastTransitionAt } = disruption;
  facts.push({
    ...stamp,
    kind: "PodDisrupted",
    reason: cutText(reason ?? ""),
    ...(message !== undefined && { message: cutText(message) }),
    ...(lastTransitionAt !== undefined && { disruptedAt: lastTransitionAt }),
  });
}
