import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import { request } from "../api/request.ts";
import type { Load } from "../api/live.ts";
import { type ReadPages, readPages } from "../api/read-pages.ts";

const MAX_CRON_JOBS = 1_000;

/** How many days the page shows. */
export const DAYS = 30;
const DAY_MILLIS = 86_400_000;

export function loadCronJobs(
  cluster: string | undefined,
  namespace: string | undefined,
): Load<ReadPages<CronJobAnswer>> {
  const limits = { most: MAX_CRON_JOBS, pageSize: MAX_CRON_JOBS };
  return (signal) =>
    readPages<CronJobAnswer>({ path: "cronjobs", parameters: { cluster, namespace }, ...limits }, signal);
}

export interface CronJobName {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** The runs of the last days, by calendar days in the reader's time zone. */
export function loadRuns(
  { cluster, namespace, name }: CronJobName,
  options: { readonly daysOnly?: boolean } = {},
): Load<CronRunsAnswer> {
  const [inCluster, inNamespace, ofCronJob] = [cluster, namespace, name].map(encodeURIComponent);
  const path = `clusters/${inCluster}/namespaces/${inNamespace}/cronjobs/${ofCronJob}/runs`;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const daysOnly = options.daysOnly === true ? "true" : undefined;
  return (signal) => {
    const since = new Date(Math.floor((Date.now() - DAYS * DAY_MILLIS) / DAY_MILLIS) * DAY_MILLIS).toISOString();
    return request<CronRunsAnswer>(path, { since, timeZone, daysOnly }, signal);
  };
}
