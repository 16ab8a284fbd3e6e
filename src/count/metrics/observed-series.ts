import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { cronPlan, nextPlannedTime } from "../../parents/cron-job/cron-plan.ts";
import { isEndOfRecording } from "../../job/status/silence.ts";
import { labelValue } from "../../ports/bounded-labels.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import type { Labels, Series, ShownSeries } from "../../ports/metric-store.ts";
import { clusterRecord } from "../../ports/records/cluster-record.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { listDecoded, readRecord } from "../../ports/records/record-codec.ts";
import { clusterNames } from "../../query/clusters/clusters.ts";
import {
  CLUSTER_LAST_HEARD,
  CRON_JOB_LAST_SUCCESS,
  CRON_JOB_MISSED_RUNS,
  CRON_JOB_NEXT_RUN,
  type MetricFamily,
} from "./metric-families.ts";

/** Gauges that are read from the records of clusters, and which CronJobs no longer exist. */
export interface ObservedSeries {
  readonly series: readonly ShownSeries[];
  /** Whether a series is about a CronJob that was deleted: it has no next success. */
  readonly isGone: (series: Series) => boolean;
}

export async function observedSeries(meta: MetaStore, now: Instant): Promise<ObservedSeries> {
  const series: ShownSeries[] = [];
  const gone = new Set<string>();
  for (const cluster of await clusterNames(meta, "everything")) {
    const heard = (await readRecord(meta, clusterRecord, cluster))?.value.observed;
    // A recording ends; its cluster did not become silent.
    if (heard !== undefined && !isEndOfRecording(heard)) {
      series.push(gaugeOf(CLUSTER_LAST_HEARD, { cluster }, heard.at));
    }
    const living = new Set<string>();
    for await (const { value } of listDecoded(meta, cronJobRecord, ofCluster(cluster))) {
      const labels = labelsOf(cluster, value);
      if (labels === undefined) continue;
      (value.deleted === undefined ? living : gone).add(JSON.stringify(labels));
      if (value.deleted === undefined) series.push(...nextRun(value, labels, now));
    }
    // A CronJob may have been created again under its name.
    for (const name of living) gone.delete(name);
  }
  return { series, isGone: ({ family, labels }) => isOfCronJob(family) && gone.has(JSON.stringify(labels)) };
}

function isOfCronJob(family: number): boolean {
  return family === CRON_JOB_LAST_SUCCESS.number || family === CRON_JOB_MISSED_RUNS.number;
}

function labelsOf(cluster: ClusterName, { observed, deleted }: CronJobRecord): Labels | undefined {
  const known = observed ?? deleted;
  return known && { cluster, namespace: known.namespace, cronjob: labelValue(known.name) };
}

function nextRun(record: CronJobRecord, labels: Labels, now: Instant): readonly ShownSeries[] {
  const plan = cronPlan(record);
  const next = plan && nextPlannedTime(plan, now);
  return next === undefined ? [] : [gaugeOf(CRON_JOB_NEXT_RUN, labels, next)];
}

function gaugeOf({ number: family }: MetricFamily, labels: Labels, value: number): ShownSeries {
  return { family, kind: "gauge", labels, parts: new Map([[0, value]]) };
}
