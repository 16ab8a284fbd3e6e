import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import { ask } from "../ask/ask.ts";
import type { Load } from "../ask/live.ts";
import { type ReadPages, readPages } from "../ask/read-pages.ts";

const MOST = 1_000;

/** What the page shows of CronJobs reaches back so many days. */
export const DAYS = 30;
const DAY_MILLIS = 86_400_000;

export function askCronJobs(
  cluster: string | undefined,
  namespace: string | undefined,
): Load<ReadPages<CronJobAnswer>> {
  return (signal) =>
    readPages<CronJobAnswer>("cronjobs", { cluster, namespace }, { most: MOST, pageSize: MOST }, signal);
}

export interface CronJobName {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** The runs of the last days, by calendar days of the reader. */
export function askRuns({ cluster, namespace, name }: CronJobName): Load<CronRunsAnswer> {
  const path = `clusters/${encodeURIComponent(cluster)}/namespaces/${encodeURIComponent(namespace)}/cronjobs/${encodeURIComponent(name)}/runs`;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (signal) => {
    const since = new Date(Math.floor((Date.now() - DAYS * DAY_MILLIS) / DAY_MILLIS) * DAY_MILLIS).toISOString();
    return ask<CronRunsAnswer>(path, { since, timeZone }, signal);
  };
}
