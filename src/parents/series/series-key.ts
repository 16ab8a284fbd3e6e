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
  return seriesKey(job.namespace, series, part);
}

/** The key of the Jobs of a series that do the same part of its runs: all of them, if none has a part. */
export function seriesKey(
  namespace: string,
  { kind, name }: { readonly kind: string; readonly name: string },
  part?: string,
): string {
  return JSON.stringify([namespace, kind, name, ...(part === undefined ? [] : [part])]);
}
