import type { CronJobObserved, Stamp } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { cutText } from "./bounds.ts";
import { countOf, fieldsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { ownKeys } from "./lineage-marks.ts";
import { isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";

/** Kubernetes 1.20 serves CronJobs as `batch/v1beta1`, with the same fields. */
const API_VERSIONS: readonly unknown[] = ["batch/v1", "batch/v1beta1", undefined];

/** Translates a CronJob, which creates a Job for each due time of its schedule. */
export function translateCronJob(type: ChangeType, cronJob: JsonObject, { epoch }: TranslateOptions): Translated {
  if (!API_VERSIONS.includes(textOf(cronJob["apiVersion"]))) {
    return ignored("The API version of the CronJob is not batch/v1.");
  }
  const metadata = readMetadata(cronJob, "namespaced");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const { uid: cronJobUid, namespace, name, resourceVersion } = metadata;
  const lastRun = lastRunOf(cronJob);
  const at = Math.max(latestOfMetadata(metadata), ...Object.values(lastRun));
  const stamp: Stamp = { epoch, resourceVersion, at };
  const own = { namespace, name, cronJobUid };
  const observed = { ...stamp, kind: "CronJobObserved", ...own, ...specOf(metadata, cronJob, at), ...lastRun } as const;
  if (type !== "DELETED") return { outcome: "translated", facts: [observed] };
  return { outcome: "translated", facts: [observed, { ...stamp, kind: "CronJobDeleted", ...own }] };
}

type LastRun = Pick<CronJobObserved, "lastScheduledAt" | "lastSuccessfulAt">;

function lastRunOf(cronJob: JsonObject): LastRun {
  const status = fieldsOf(cronJob["status"]);
  const lastScheduledAt = parseInstant(status["lastScheduleTime"]);
  const lastSuccessfulAt = parseInstant(status["lastSuccessfulTime"]);
  return {
    ...(lastScheduledAt !== undefined && { lastScheduledAt }),
    ...(lastSuccessfulAt !== undefined && { lastSuccessfulAt }),
  };
}

type Spec = Omit<CronJobObserved, keyof Stamp | keyof LastRun | "kind" | "namespace" | "name" | "cronJobUid">;

function specOf({ createdAt, fields }: Metadata, cronJob: JsonObject, at: number): Spec {
  const spec = fieldsOf(cronJob["spec"]);
  const timeZone = cut(spec["timeZone"]);
  const startingDeadlineSeconds = countOf(spec["startingDeadlineSeconds"]);
  const successfulJobsHistoryLimit = countOf(spec["successfulJobsHistoryLimit"]);
  const failedJobsHistoryLimit = countOf(spec["failedJobsHistoryLimit"]);
  const marks = ownKeys(fields);
  return {
    createdAt: createdAt ?? at,
    generation: countOf(fields["generation"]) ?? 0,
    schedule: cut(spec["schedule"]) ?? "",
    ...(timeZone !== undefined && { timeZone }),
    suspend: spec["suspend"] === true,
    concurrencyPolicy: cut(spec["concurrencyPolicy"]) ?? "Allow",
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
    ...(successfulJobsHistoryLimit !== undefined && { successfulJobsHistoryLimit }),
    ...(failedJobsHistoryLimit !== undefined && { failedJobsHistoryLimit }),
    ...(Object.keys(marks).length > 0 && { marks }),
  };
}

function cut(value: unknown): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : cutText(text);
}
