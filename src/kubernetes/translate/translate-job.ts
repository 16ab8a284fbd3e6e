import type { JobCreated, JobObjectFact, Stamp } from "../../job/model/fact.ts";
import { decodeJobUid, type JobUid } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import { bytesOf, cutText, MAX_FINALIZERS, MAX_LABEL_BYTES } from "./bounds.ts";
import { latestTransition, type RawCondition, readConditions } from "./condition.ts";
import { imagesOf } from "./image-hash.ts";
import { readJobSpec } from "./read-job-spec.ts";
import { keptCondition, reportedStatusOf } from "./read-job-status.ts";
import { isObjectName } from "../message/message-grammar.ts";
import { countOf, fieldsOf, isObject, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { marksOf } from "./lineage-marks.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { ownerOf } from "./owner-reference.ts";
import { type ChangeType, ignored, rejected, type TranslateOptions, type Translated } from "./translated.ts";

/** Set in Kubernetes 1.22 to 1.26 on Jobs whose Pods have the finalizer of the same name. */
const TRACKING_ANNOTATION = "batch.kubernetes.io/job-tracking";
const INSTANTIATE_ANNOTATION = "cronjob.kubernetes.io/instantiate";
const SCHEDULED_ANNOTATION = "batch.kubernetes.io/cronjob-scheduled-timestamp";
/** The label or annotation that names the queue of Kueue. */
const QUEUE_NAME = "kueue.x-k8s.io/queue-name";
const BUILT_IN_CONTROLLER = "kubernetes.io/job-controller";

/** One observation of a Job, read once for all its facts. */
interface JobObservation {
  readonly stamp: Stamp & { readonly jobUid: JobUid };
  readonly metadata: Metadata;
  readonly spec: JobSpec;
  readonly template: JsonObject;
  readonly status: JsonObject;
  readonly conditions: readonly RawCondition[];
  readonly options: TranslateOptions;
}

/** All facts that a Job at this resourceVersion proves (docs/facts.md). */
export function translateJob(type: ChangeType, job: JsonObject, options: TranslateOptions): Translated {
  const apiVersion = textOf(job["apiVersion"]) ?? "batch/v1";
  if (apiVersion !== "batch/v1") return ignored("The API version of the Job is not batch/v1.");
  const metadata = readMetadata(job, "namespaced");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const jobUid = decodeJobUid(metadata.uid);
  if (jobUid === undefined) return rejected("object.metadata.uid", "The uid of the Job is invalid.");
  const fields = fieldsOf(job["spec"]);
  const read = readJobSpec(fields);
  if (read.outcome === "rejected") return read;
  const status = fieldsOf(job["status"]);
  const conditions = readConditions(status);
  const at = Math.max(latestOfMetadata(metadata), latestOfStatus(status), latestTransition(conditions));
  const stamp = { epoch: options.epoch, resourceVersion: metadata.resourceVersion, at, jobUid };
  return {
    outcome: "translated",
    facts: factsOf(type, {
      stamp,
      metadata,
      spec: read.spec,
      template: fieldsOf(fields["template"]),
      status,
      conditions,
      options,
    }),
  };
}

function latestOfStatus(status: JsonObject): Instant {
  return Math.max(parseInstant(status["startTime"]) ?? 0, parseInstant(status["completionTime"]) ?? 0);
}

function factsOf(type: ChangeType, observation: JobObservation): readonly JobObjectFact[] {
  const { stamp, metadata, spec, template, status, conditions, options } = observation;
  const generation = generationOf(metadata);
  const facts: JobObjectFact[] = [
    jobCreated(observation),
    { ...stamp, kind: "JobSpecified", generation, spec, ...imagesOf(fieldsOf(template["spec"])) },
    {
      ...stamp,
      kind: "JobReported",
      status: reportedStatusOf(status, conditions, options),
      generation,
      mutable: mutableOf(spec),
      ...queueOf(metadata),
    },
  ];
  addTracking(facts, observation);
  for (const condition of conditions) {
    if (condition.status !== "True" || (condition.type !== "Complete" && condition.type !== "Failed")) continue;
    facts.push({ ...stamp, kind: "JobFinished", condition: keptCondition(condition, options) });
  }
  if (metadata.deletion !== undefined) {
    const { requestedAt } = metadata.deletion;
    facts.push({ ...stamp, kind: "JobDeletionRequested", requestedAt, finalizers: finalizersOf(metadata) });
  }
  if (type === "DELETED") facts.push({ ...stamp, kind: "JobDeleted" });
  return facts;
}

function jobCreated({ stamp, metadata, template, options }: JobObservation): JobCreated {
  const { labels, truncated } = keptLabels(metadata.fields["labels"]);
  const marks = marksOf({ metadata: metadata.fields, template, labels }, options.kinds);
  const owner = ownerOf(metadata.fields);
  const annotations = fieldsOf(metadata.fields["annotations"]);
  const scheduledAt = parseInstant(annotations[SCHEDULED_ANNOTATION]);
  const isManual = scheduledAt === undefined && annotations[INSTANTIATE_ANNOTATION] === "manual";
  return {
    ...stamp,
    kind: "JobCreated",
    namespace: metadata.namespace,
    name: metadata.name,
    createdAt: metadata.createdAt ?? stamp.at,
    labels,
    ...(marks !== undefined && { marks }),
    ...(owner !== undefined && { owner }),
    ...(scheduledAt !== undefined && { scheduledAt }),
    ...(isManual && { manual: true }),
    ...(truncated && { truncated }),
  };
}

/** Releases of Kueue before 0.2 read an annotation. A label may be added after the creation of the Job. */
function queueOf({ fields: { labels, annotations } }: Metadata): { readonly queueName?: string } {
  const queueName = textOf(fieldsOf(labels)[QUEUE_NAME]) ?? textOf(fieldsOf(annotations)[QUEUE_NAME]);
  return queueName !== undefined && isObjectName(queueName) ? { queueName } : {};
}

function generationOf({ fields }: Metadata): number {
  return countOf(fields["generation"]) ?? 0;
}

function mutableOf(spec: JobSpec): Extract<JobObjectFact, { kind: "JobReported" }>["mutable"] {
  const { parallelism, completions, suspend, activeDeadlineSeconds, ttlSecondsAfterFinished } = spec;
  return {
    parallelism,
    suspend,
    ...(completions !== undefined && { completions }),
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
  };
}

/**
 * How the Job's Pods are counted (KEP-2307). For a Job of another controller, a missing list proves nothing. The
 * annotation shows tracking before the first sync writes the list.
 */
function addTracking(facts: JobObjectFact[], { stamp, metadata, spec, status }: JobObservation): void {
  const annotated = TRACKING_ANNOTATION in fieldsOf(metadata.fields["annotations"]);
  const isForeign = spec.managedBy !== undefined && spec.managedBy !== BUILT_IN_CONTROLLER;
  if (annotated || isObject(status["uncountedTerminatedPods"])) facts.push({ ...stamp, kind: "JobTracked" });
  else if (!isForeign && parseInstant(status["startTime"]) !== undefined) {
    facts.push({ ...stamp, kind: "JobUntracked" });
  }
}

function finalizersOf({ fields }: Metadata): readonly string[] {
  const finalizers: string[] = [];
  for (const finalizer of itemsOf(fields["finalizers"])) {
    const name = textOf(finalizer);
    if (name !== undefined && finalizers.length < MAX_FINALIZERS) finalizers.push(cutText(name));
  }
  return finalizers;
}

/** The labels of a Job, sorted by key, as many as fit into {@link MAX_LABEL_BYTES} of UTF-8. */
function keptLabels(value: unknown): { labels: Readonly<Record<string, string>>; truncated?: true } {
  const labels: Record<string, string> = {};
  let bytes = 0;
  for (const [rawKey, rawLabel] of Object.entries(fieldsOf(value)).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = rawKey.toWellFormed();
    if (typeof rawLabel !== "string" || key === "__proto__") continue;
    const label = rawLabel.toWellFormed();
    bytes += bytesOf(key) + bytesOf(label);
    if (bytes > MAX_LABEL_BYTES) return { labels, truncated: true };
    labels[key] = label;
  }
  return { labels };
}
