import type { CronJobDeleted, CronJobObserved, Fact, Stamp } from "../../job/model/fact.ts";
import type { ParentObject, WatchedParent } from "../parent-kind.ts";

export interface CronJobParts {
  readonly fact: CronJobObserved | CronJobDeleted;
  readonly resource: "cronjobs";
}

/** A CronJob, which creates a Job for each due time of its schedule. */
export const watchedCronJob: WatchedParent<CronJobParts> = {
  resource: "cronjobs",
  apiGroup: "batch",
  // Kubernetes 1.20 serves CronJobs as `batch/v1beta1`, with the same fields.
  apiVersions: ["batch/v1", "batch/v1beta1"],
  kept: {
    spec: {
      schedule: true,
      timeZone: true,
      suspend: true,
      concurrencyPolicy: true,
      startingDeadlineSeconds: true,
      successfulJobsHistoryLimit: true,
      failedJobsHistoryLimit: true,
    },
    status: { lastScheduleTime: true, lastSuccessfulTime: true },
  },
  instants: ({ status }) => [status.instant("lastScheduleTime"), status.instant("lastSuccessfulTime")],
  observed,
  deleted: ({ namespace, name, uid }, stamp) => ({
    ...stamp,
    kind: "CronJobDeleted",
    namespace,
    name,
    cronJobUid: uid,
  }),
  isFact,
  facts: {
    CronJobObserved: {
      namespace: "text",
      name: "text",
      cronJobUid: "text",
      createdAt: "whole",
      generation: "number",
      schedule: "text",
      timeZone: "text?",
      suspend: "boolean",
      concurrencyPolicy: "text",
      startingDeadlineSeconds: "number?",
      successfulJobsHistoryLimit: "number?",
      failedJobsHistoryLimit: "number?",
      lastScheduledAt: "whole?",
      lastSuccessfulAt: "whole?",
    },
    CronJobDeleted: { namespace: "text", name: "text", cronJobUid: "text" },
  },
  nameOf: ({ namespace, name, cronJobUid: uid }) => ({ namespace, name, uid }),
  isDeletion: ({ kind }) => kind === "CronJobDeleted",
  describe: (fact) => (fact.kind === "CronJobDeleted" ? "was deleted" : `was observed with schedule ${fact.schedule}`),
};

function isFact(fact: Fact): fact is CronJobParts["fact"] {
  return fact.kind === "CronJobObserved" || fact.kind === "CronJobDeleted";
}

function observed({ spec, status, ...object }: ParentObject, stamp: Stamp): CronJobObserved {
  const timeZone = spec.text("timeZone");
  const startingDeadlineSeconds = spec.count("startingDeadlineSeconds");
  const successfulJobsHistoryLimit = spec.count("successfulJobsHistoryLimit");
  const failedJobsHistoryLimit = spec.count("failedJobsHistoryLimit");
  const lastScheduledAt = status.instant("lastScheduleTime");
  const lastSuccessfulAt = status.instant("lastSuccessfulTime");
  return {
    ...stamp,
    kind: "CronJobObserved",
    namespace: object.namespace,
    name: object.name,
    cronJobUid: object.uid,
    createdAt: object.createdAt ?? stamp.at,
    generation: object.generation,
    schedule: spec.text("schedule") ?? "",
    ...(timeZone !== undefined && { timeZone }),
    suspend: spec.isTrue("suspend"),
    concurrencyPolicy: spec.text("concurrencyPolicy") ?? "Allow",
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
    ...(successfulJobsHistoryLimit !== undefined && { successfulJobsHistoryLimit }),
    ...(failedJobsHistoryLimit !== undefined && { failedJobsHistoryLimit }),
    ...(lastScheduledAt !== undefined && { lastScheduledAt }),
    ...(lastSuccessfulAt !== undefined && { lastSuccessfulAt }),
  };
}
