import type { Stamp } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { type ContainerStatus, latestOfContainers, readContainerStatuses } from "./container-status.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { latestOfMetadata, type Metadata } from "./metadata.ts";
import type { ChangeType, TranslateOptions } from "./translated.ts";

const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

/** A Pod, and the Job that it belongs to. */
export interface PodIdentity {
  readonly jobUid: JobUid;
  readonly podUid: PodUid;
}

/** One observation of a Pod, read once for all its facts. */
export interface PodObservation {
  /** The fields that all facts of this observation share. */
  readonly stamp: Stamp & PodIdentity;
  readonly type: ChangeType;
  readonly metadata: Metadata;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  /** `""` if the status has no phase. */
  readonly phase: string;
  /** Whether the Pod has the tracking finalizer. */
  readonly tracked: boolean;
  readonly conditions: readonly RawCondition[];
  readonly containers: readonly ContainerStatus[];
}

/** A Pod as a watch event showed it. */
export interface WatchedPod {
  readonly type: ChangeType;
  readonly pod: JsonObject;
  readonly metadata: Metadata;
}

export function observePod(
  { type, pod, metadata }: WatchedPod,
  { jobUid, podUid }: PodIdentity,
  { epoch }: TranslateOptions,
): PodObservation {
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
    stamp: { epoch, resourceVersion: metadata.resourceVersion, at, jobUid, podUid },
    type,
    metadata,
    spec: fieldsOf(pod["spec"]),
    status,
    phase: textOf(status["phase"]) ?? "",
    tracked: itemsOf(metadata.fields["finalizers"]).includes(TRACKING_FINALIZER),
    conditions,
    containers,
  };
}
