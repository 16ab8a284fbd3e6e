import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import { listCronJobs } from "../../query/cron-jobs/list-cron-jobs.ts";
import type { KubeContext } from "./kube-context.ts";
import { isSelected } from "./kube-fields.ts";
import { ANNOTATION, annotations, type KubeObject } from "./kube-object.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { age, column, NONE, type RowFormat, type RowsPage } from "./listing.ts";

/** CronJobs as the Kubernetes API lists them. */
export async function listKubeCronJobs(
  { ports, scope, cluster }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<CronJobAnswer>> {
  const { limit, continueToken: cursor } = options;
  const page = await listCronJobs(ports, scope, { cluster, namespace: path.namespace, limit, cursor });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  const rows = page.items.filter((cronJob) => isSelected(cronJobObject(cronJob), path, options));
  return { outcome: "listed", rows, continueToken: page.nextCursor };
}

/** The columns of `kubectl get cronjobs`, and when the CronJob was deleted. */
export const CRON_JOB_FORMAT: RowFormat<CronJobAnswer> = {
  columns: [
    column("Name", ({ name }) => name),
    column("Schedule", ({ schedule }) => schedule ?? NONE),
    column("Timezone", ({ timeZone }) => timeZone ?? NONE),
    column("Suspend", ({ suspend }) => (suspend === true ? "True" : "False")),
    column("Last Schedule", ({ lastScheduledAt }, now) => age(lastScheduledAt, now)),
    column("Age", ({ createdAt }, now) => age(createdAt, now)),
    column("Deleted", ({ deletedAt }, now) => age(deletedAt, now)),
  ],
  show: cronJobObject,
};

/** A CronJob as batch/v1, as it was last observed. Facts do not keep its template. */
function cronJobObject(cronJob: CronJobAnswer): KubeObject {
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
