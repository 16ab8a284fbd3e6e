import type { JobCreated } from "../../job/model/fact.ts";
import { stepOf } from "../kinds.ts";
import { type Lineage, lineageOf } from "../lineage.ts";

/**
 * The Jobs that do the same part of the runs of one series have equal keys within a cluster: the Jobs of a CronJob, the
 * Jobs of one task of a DAG. `undefined` for a Job without a series. A series that is created again is the same.
 */
export function seriesKeyOf(job: JobCreated): string | undefined {
  const { series, ...lineage } = lineageOf(job);
  return series && seriesKey(job.namespace, series, partInSeries(lineage));
}

/** What a Job does in each run of its series; `undefined` if it is the whole run. */
export function partInSeries({ owners, externalIds }: PartLineage): string | undefined {
  return owners[0]?.role ?? stepOf(externalIds);
}

interface PartLineage extends Pick<Lineage, "externalIds"> {
  readonly owners: readonly { readonly role?: string | undefined }[];
}

/** The key of the Jobs of a series that do the same part of its runs: all of them, if none has a part. */
export function seriesKey(
  namespace: string,
  { kind, name }: { readonly kind: string; readonly name: string },
  part?: string,
): string {
  return JSON.stringify([namespace, kind, name, ...(part === undefined ? [] : [part])]);
}
