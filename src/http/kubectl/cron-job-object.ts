import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { ANNOTATION, annotations, type KubeObject } from "./kube-object.ts";

/** A CronJob as batch/v1, as it was last observed. Facts do not keep its template. */
export function cronJobObject(cronJob: CronJobAnswer): KubeObject {
  const { cluster, namespace, name, uid, createdAt, deletedAt, lastScheduledAt, lastSuccessfulAt } = cronJob;
  const { schedule, timeZone, suspend, concurrencyPolicy } = cronJob;
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(latest([createdAt, deletedAt, lastScheduledAt, lastSuccessfulAt])),
      creationTimestamp: createdAt ?? null,
      annotations: annotations({ [ANNOTATION.cluster]: cluster, [ANNOTATION.deletedAt]: deletedAt }),
    },
    spec: {
      schedule: schedule ?? "",
      ...(timeZone !== undefined && { timeZone }),
      suspend: suspend ?? false,
      concurrencyPolicy: concurrencyPolicy ?? "Allow",
      jobTemplate: {
        metadata: { creationTimestamp: null },
        spec: { template: { metadata: {}, spec: { containers: [] } } },
      },
    },
    status: {
      ...(lastScheduledAt !== undefined && { lastScheduleTime: lastScheduledAt }),
      ...(lastSuccessfulAt !== undefined && { lastSuccessfulTime: lastSuccessfulAt }),
    },
  };
}

/** The latest of the CronJob's own timestamps. */
function latest(texts: readonly (string | undefined)[]): Instant {
  return Math.max(...texts.map((text) => parseInstant(text) ?? 0));
}
