import type { ClusterFact, CronJobObserved, Stamp } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { cutText } from "./bounds.ts";
import { countOf, fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";

/** Kubernetes 1.20 serves CronJobs as `batch/v1beta1`, with the same fields. */
const API_VERSIONS: readonly string[] = ["batch/v1", "batch/v1beta1"];

export function translateCronJob(type: ChangeType, cronJob: JsonObject, options: TranslateOptions): Translated {
  if (!API_VERSIONS.includes(textOf(cronJob["apiVersion"]) ?? "batch/v1")) {
    return ignored("The API version of the CronJob is not batch/v1.");
  }
  const metadata = readMetadata(cronJob, "namespaced");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const { namespace, name, uid: cronJobUid, resourceVersion } = metadata;
  const lastScheduledAt = parseInstant(fieldsOf(cronJob["status"])["lastScheduleTime"]);
  const lastSuccessfulAt = parseInstant(fieldsOf(cronJob["status"])["lastSuccessfulTime"]);
  const at = Math.max(latestOfMetadata(metadata), lastScheduledAt ?? 0, lastSuccessfulAt ?? 0);
  const stamp: Stamp = { epoch: options.epoch, resourceVersion, at };
  const facts: ClusterFact[] = [
    {
      ...cronJobObserved(stamp, metadata, fieldsOf(cronJob["spec"])),
      ...(lastScheduledAt !== undefined && { lastScheduledAt }),
      ...(lastSuccessfulAt !== undefined && { lastSuccessfulAt }),
    },
  ];
  if (type === "DELETED") facts.push({ ...stamp, kind: "CronJobDeleted", namespace, name, cronJobUid });
  return { outcome: "translated", facts };
}

function cronJobObserved(stamp: Stamp, metadata: Metadata, spec: JsonObject): CronJobObserved {
  const timeZone = textOf(spec["timeZone"]);
  const startingDeadlineSeconds = countOf(spec["startingDeadlineSeconds"]);
  const successfulJobsHistoryLimit = countOf(spec["successfulJobsHistoryLimit"]);
  const failedJobsHistoryLimit = countOf(spec["failedJobsHistoryLimit"]);
  return {
    ...stamp,
    kind: "CronJobObserved",
    namespace: metadata.namespace,
    name: metadata.name,
    cronJobUid: metadata.uid,
    createdAt: metadata.createdAt ?? stamp.at,
    generation: countOf(metadata.fields["generation"]) ?? 0,
    schedule: cutText(textOf(spec["schedule"]) ?? ""),
    ...(timeZone !== undefined && { timeZone: cutText(timeZone) }),
    suspend: spec["suspend"] === true,
    concurrencyPolicy: cutText(textOf(spec["concurrencyPolicy"]) ?? "Allow"),
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
    ...(successfulJobsHistoryLimit !== undefined && { successfulJobsHistoryLimit }),
    ...(failedJobsHistoryLimit !== undefined && { failedJobsHistoryLimit }),
  };
}
