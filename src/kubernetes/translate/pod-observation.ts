import type { Stamp } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { type ContainerStatus, latestOfContainers, readContainerStatuses } from "./container-status.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { latestOfMetadata, type Metadata } from "./metadata.ts";
import type { ChangeType, TranslateOptions } from "./translated.ts";

const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

/** Whose Pod it is, and which. */
export interface PodIdentity {
  readonly jobUid: JobUid;
  readonly podUid: PodUid;
}

/** One observation of a Pod, read once for all its facts. */
export interface PodObservation {
  /** What every fact of this observation begins with. */
  readonly stamp: Stamp & PodIdentity;
  readonly type: ChangeType;
  readonly metadata: Metadata;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  /** "" where the status has none. */
  readonly phase: string;
  /** The tracking finalizer is on. */
  readonly tracked: boolean;
  readonly conditions: readonly RawCondition[];
  readonly containers: readonly ContainerStatus[];
}

export function observePod(
  type: ChangeType,
  pod: JsonObject,
  metadata: Metadata,
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
