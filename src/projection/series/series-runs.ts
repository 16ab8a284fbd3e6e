import type { JobCreated } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import {
  type PastRun,
  pastRunOf,
  type PastRuns,
  runIdOf,
  withoutPastRun,
  withPastRun,
} from "../../parents/series/past-run.ts";
import { seriesKey, seriesKeyOf } from "../../parents/series/series-key.ts";
import type { Retry } from "../../ports/concurrency/retry.ts";
import { seriesRecordKey } from "../../ports/meta-key.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import { InvalidRecordError, readRecord } from "../../ports/records/record-codec.ts";
import { untilWritten } from "../until-written.ts";
import { seriesRecord } from "./series-record.ts";

/** What a finished Job says about its series. */
export interface SeriesRun {
  /** The key of the series' record. */
  readonly key: string;
  readonly id: number;
  /** Absent if the run is no sample: it failed after it was complete. */
  readonly run?: PastRun;
}

/** What a Job says about its series: nothing while it is not complete, and if it has none. */
export function seriesRunsOf(cluster: ClusterName, job: JobObject): readonly SeriesRun[] {
  const { uid, created, complete } = job;
  const series = complete && created && seriesKeyOf(created);
  if (series === undefined || created === undefined) return [];
  const run = pastRunOf(job);
  return [{ key: seriesRecordKey(cluster, created.namespace, series), id: runIdOf(uid), ...(run && { run }) }];
}

/** The past runs of a Job's series; `undefined` for a Job without one. */
export async function readPastRuns(
  meta: MetaStore,
  cluster: ClusterName,
  created: JobCreated | undefined,
): Promise<PastRuns | undefined> {
  const series = created && seriesKeyOf(created);
  if (created === undefined || series === undefined) return undefined;
  return (await readRecord(meta, seriesRecord, seriesRecordKey(cluster, created.namespace, series)))?.value ?? [];
}

/** A series by its name. */
export interface NamedSeries {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
  /** The part of its runs. @default the series has no parts */
  readonly part?: string | undefined;
}

/** The past runs of a series, or of one part of them. */
export async function readRunsOfSeries(
  meta: MetaStore,
  cluster: ClusterName,
  { namespace, part, ...named }: NamedSeries,
): Promise<PastRuns> {
  const series = seriesKey(namespace, named, part);
  return (await readRecord(meta, seriesRecord, seriesRecordKey(cluster, namespace, series)))?.value ?? [];
}

/** The past runs of a series after a run was added, or is no sample any more. */
export function withSeriesRun(runs: PastRuns, { id, run }: Pick<SeriesRun, "id" | "run">): PastRuns {
  return run === undefined ? withoutPastRun(runs, id) : withPastRun(runs, run);
}

/** Joins runs into the records of their series, in one write for each. A join that changes nothing is not written. */
export async function joinSeriesRuns(meta: MetaStore, runs: Iterable<SeriesRun>, retry: Retry): Promise<void> {
  for (const [key, own] of Map.groupBy(runs, (run) => run.key)) {
    await untilWritten(`record series ${key}`, retry, async () => {
      const stored = await meta.read("series", key);
      const joined = own.reduce(withSeriesRun, readableRuns(stored));
      const value = seriesRecord.encode(joined);
      if (value === stored?.value || (stored === undefined && joined.length === 0)) return "unchanged";
      return (await meta.write("series", key, { value, expected: stored?.version ?? 0 })).outcome;
    });
  }
}

/** The runs of a record; none if it cannot be read, so that projecting continues. Verify reports the missing runs. */
export function readableRuns(stored: MetaRecord | undefined): PastRuns {
  try {
    return stored === undefined ? [] : seriesRecord.decode(stored);
  } catch (cause) {
    if (cause instanceof InvalidRecordError) return [];
    throw cause;
  }
}
