import type { JobCreated } from "../../job/model/fact.ts";
import { stepOf } from "../kinds.ts";
import { lineageOf } from "../lineage.ts";

/**
 * The Jobs that do the same part of the runs of one series have equal keys within a cluster: the Jobs of a CronJob, the
 * Jobs of one task of a DAG. `undefined` for a Job without a series. A series that is created again is the same.
 */
export function seriesKeyOf(job: JobCreated): string | undefined {
  const { series, owners, externalIds } = lineageOf(job);
  if (series === undefined) return undefined;
  const part = owners[0]?.role ?? stepOf(externalIds);
  return JSON.stringify([job.namespace, series.kind, series.name, ...(part === undefined ? [] : [part])]);
}
