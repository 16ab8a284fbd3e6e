import type { MetricStore } from "../../ports/metric-store.ts";
import type { RowObserver } from "../../projection/row-observer.ts";
import { countedJob } from "./counted-job.ts";
import { jobContribution } from "./job-contribution.ts";

/** Lets each Job whose row changes contribute to the metrics. */
export function countRows(metrics: MetricStore): RowObserver {
  return ({ key: { cluster, jobUid }, state, derived, clusterContext }) =>
    metrics.contribute({ cluster, id: jobUid }, jobContribution(countedJob(state, derived, clusterContext)));
}
