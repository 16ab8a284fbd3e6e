import type { PodFact } from "../../job/model/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid } from "../../job/model/ids.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { decodeResourceVersion } from "../../job/model/order.ts";
import { cutText, MAX_NAME_LENGTH } from "./bounds.ts";
import { fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import type { Termination } from "./container-status.ts";
import { type KeptMessage, keptMessage } from "../message/kept-message.ts";
import { effectiveRequest } from "../request/effective-request.ts";
import { memoryLimitsOf } from "../request/memory-limits.ts";
import { isName, isProblems, readMetadata } from "./metadata.ts";
import { controllerOf, isOfJob } from "./owner-reference.ts";
import { podCreated } from "./pod-created.ts";
import { addPhase } from "./pod-phase.ts";
import { observePod, type PodObservation } from "./pod-observation.ts";
import { type ChangeType, ignored, rejected, type TranslateOptions, type Translated } from "./translated.ts";

/** The label that names the Job by uid: since 1.27, and before. */
const CONTROLLER_UID_LABELS = ["batch.kubernetes.io/controller-uid", "controller-uid"];

/**
 * All facts that a Pod at this resourceVersion proves (docs/facts.md). Only present and former Pods of Jobs have any.
 */
export function translatePod(type: ChangeType, pod: JsonObject, options: TranslateOptions): Translated {
  if ((textOf(pod["apiVersion"]) ?? "v1") !== "v1") return ignored("The API version of the Pod is not v1.");
  const [job, ...formerJobs] = jobsOf(fieldsOf(pod["metadata"]), options);
  if (job === undefined) return withoutJob(fieldsOf(pod["metadata"]));
  const jobUid = decodeJobUid(job.uid);
  if (jobUid === undefined) return rejected(job.path, "The uid of the Pod's Job is missing or invalid.");
  const metadata = readMetadata(pod, "namespaced");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const podUid = decodePodUid(metadata.uid);
  if (podUid === undefined) return rejected("object.metadata.uid", "The uid of the Pod is invalid.");
  const observation = observePod({ type, pod, metadata }, { jobUid, podUid }, options);
  const facts = factsOf(observation, job.released, options);
  const ofFormer = formerJobs.flatMap(({ uid }) => {
    const former = decodeJobUid(uid);
    if (former === undefined) return [];
    return factsOf({ ...observation, stamp: { ...observation.stamp, jobUid: former } }, true, options);
  });
  return { outcome: "translated", facts: [...facts, ...ofFormer] };
}

function factsOf(observation: PodObservation, released: boolean, options: TranslateOptions): readonly PodFact[] {
  const { stamp, type, tracked, metadata } = observation;
  const facts: PodFact[] = [podCreated(observation)];
  // A DELETED event may still list the finalizer whose removal caused the deletion, so it proves no earlier removal.
  if (tracked) facts.push({ ...stamp, kind: "PodTracked" });
  else if (type !== "DELETED") facts.push({ ...stamp, kind: "PodUntracked" });
  addScheduled(facts, observation);
  addPhase(facts, observation, options);
  addEnds(facts, observation, options);
  addDisruption(facts, observation, options);
  if (metadata.deletion !== undefined) {
    facts.push({
      ...stamp,
      kind: "PodDeletionRequested",
      ...metadata.deletion,
      phase: cutText(observation.phase),
      tracked,
    });
  }
  if (released) facts.push({ ...stamp, kind: "PodReleased" });
  if (type === "DELETED") facts.push({ ...stamp, kind: "PodDeleted", tracked });
  return facts;
}

function withoutJob(metadata: JsonObject): Translated {
  const none = { outcome: "ignored", reason: "The Pod belongs to no Job." } as const;
  const unowned = controllerOf(metadata) === undefined ? decodePodUid(metadata["uid"]) : undefined;
  return unowned === undefined ? none : { ...none, unowned };
}

interface PodsJob {
  readonly uid: unknown;
  readonly path: string;
  /** The Job orphaned or released the Pod. Facts about the Pod still name the Job. */
  readonly released: boolean;
}

/**
 * The Jobs of a Pod: the one that controls it, then its remembered former Jobs. If there are none, and no other
 * controller, the Job in its label: the Pod may have lost its owner reference before the first observation.
 */
function jobsOf(metadata: JsonObject, options: TranslateOptions): readonly PodsJob[] {
  const controller = controllerOf(metadata);
  const isJob = isOfJob(controller);
  const owner = isJob ? controller?.["uid"] : undefined;
  const former = rememberedJobs(metadata, options)
    .filter((uid) => uid !== owner)
    .map((uid) => ({ uid, path: "object.metadata", released: true }));
  if (isJob) return [{ uid: owner, path: "object.metadata.ownerReferences", released: false }, ...former];
  if (former.length > 0 || controller !== undefined) return former;
  const labels = fieldsOf(metadata["labels"]);
  for (const label of CONTROLLER_UID_LABELS) {
    const uid = decodeJobUid(labels[label]);
    if (uid !== undefined) return [{ uid, path: `object.metadata.labels['${label}']`, released: true }];
  }
  return [];
}

function rememberedJobs(metadata: JsonObject, { jobsOfPod, epoch }: TranslateOptions): readonly JobUid[] {
  if (jobsOfPod === undefined) return [];
  const podUid = decodePodUid(metadata["uid"]);
  const resourceVersion = decodeResourceVersion(metadata["resourceVersion"]);
  return podUid === undefined || resourceVersion === undefined ? [] : jobsOfPod(podUid, { epoch, resourceVersion });
}

function addScheduled(facts: PodFact[], observation: PodObservation): void {
  const { stamp, spec, status, conditions } = observation;
  const node = spec["nodeName"];
  if (!isName(node, MAX_NAME_LENGTH)) return;
  const scheduled = conditions.find(({ type, status }) => type === "PodScheduled" && status === "True");
  const scheduledAt = scheduled?.lastTransitionAt;
  const acceptedAt = scheduledAt === undefined ? parseInstant(status["startTime"]) : undefined;
  facts.push({
    ...stamp,
    kind: "PodScheduled",
    node,
    ...(scheduledAt !== undefined && { scheduledAt }),
    ...(acceptedAt !== undefined && { acceptedAt }),
  });
  facts.push({ ...stamp, kind: "PodReserved", requests: effectiveRequest(observation) });
}

function addEnds(facts: PodFact[], observation: PodObservation, options: TranslateOptions): void {
  const { stamp, containers } = observation;
  for (const { name, init, restartCount, ended, endedBefore, image } of containers) {
    // `state` is the run after `restartCount` restarts, and `lastState` is the run before it. The image is its own.
    for (const [end, run, ofRun] of [
      [endedBefore, Math.max(0, restartCount - 1), {}],
      [ended, restartCount, image],
    ] as const) {
      if (end === undefined) continue;
      const { exitCode, signal, reason, startedAt, finishedAt } = end;
      facts.push({
        ...stamp,
        kind: "ContainerEnded",
        container: name,
        ...(init && { init }),
        restartCount: run,
        exitCode,
        ...(signal !== undefined && { signal }),
        ...(reason !== undefined && { reason: cutText(reason) }),
        ...keptEnd(end, options),
        ...(reason === "OOMKilled" && memoryLimitsOf(observation, name)),
        ...ofRun,
        ...(startedAt !== undefined && { startedAt }),
        ...(finishedAt !== undefined && { finishedAt }),
      });
    }
  }
}

/** The program writes the message of its end, or the runtime where the program could not start. */
function keptEnd(end: Termination, options: TranslateOptions): KeptMessage {
  const { details } = keptMessage(end, options);
  return {
    ...(options.containerMessages && end.message !== undefined && { message: cutText(end.message) }),
    ...(details !== undefined && { details }),
  };
}

function addDisruption(facts: PodFact[], { stamp, conditions }: PodObservation, options: TranslateOptions): void {
  const disruption = conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
  if (disruption === undefined) return;
  const { reason, lastTransitionAt } = disruption;
  facts.push({
    ...stamp,
    kind: "PodDisrupted",
    reason: cutText(reason ?? ""),
    ...keptMessage(disruption, options),
    ...(lastTransitionAt !== undefined && { disruptedAt: lastTransitionAt }),
  });
}
