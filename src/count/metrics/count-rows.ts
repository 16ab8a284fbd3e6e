import type { JobKey } from "../../ports/jobs.ts";
import type { MetricStore, MetricSubject } from "../../ports/metric-store.ts";
import type { RowObserver, RunObserver } from "../../projection/row-observer.ts";
import { countedJob } from "./counted-job.ts";
import { jobContribution } from "./job-contribution.ts";
import { storedRunContribution } from "./run-contribution.ts";

/** Lets each Job whose row changes contribute to the metrics. */
export function countRows(metrics: MetricStore): RowObserver {
  return ({ key: { cluster, jobUid }, state, derived, clusterContext }) =>
    metrics.contribute({ cluster, id: jobUid }, jobContribution(countedJob(state, derived, clusterContext)));
}

/** Lets each run whose row changes contribute to the metrics. */
export function countRuns(metrics: MetricStore): RunObserver {
  return async ({ key, row }) => {
    const contribution = storedRunContribution(key, { row });
    if (contribution !== undefined) await metrics.contribute(runSubject(key), contribution);
  };
}

/** A run may have the uid of a Job, so its subject has another form. */
function runSubject({ cluster, jobUid }: JobKey): MetricSubject {
  return { cluster, id: `run/${jobUid}` };
}
