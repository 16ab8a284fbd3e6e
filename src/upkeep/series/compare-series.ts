import { type ClusterName, decodeClusterName, type JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { PastRuns } from "../../parents/series/past-run.ts";
import { TimeSlice } from "../../ports/concurrency/time-slice.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { listRecords } from "../../ports/list-records.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import type { MetaRecord } from "../../ports/meta.ts";
import { seriesRecord } from "../../projection/series/series-record.ts";
import { readableRuns, seriesRunsOf, withSeriesRun } from "../../projection/series/series-runs.ts";
import { readJob } from "../../projection/job-state/read-job.ts";
import type { RecordMismatch } from "../replay/compare-records.ts";
import { type LogStores, logBegins } from "../replay/log-begins.ts";
import { removedBefore } from "./expired-series.ts";

export interface SeriesStores extends LogStores {
  readonly jobs: JobStore;
  /** All Jobs of a cluster in the projection. */
  readonly storedJobs: (cluster: ClusterName) => AsyncIterable<JobUid>;
}

/**
 * Compares the records of series with the Jobs of a projection. A run whose Job has expired stays in its record. A
 * record that changes meanwhile is no mismatch.
 */
export async function compareSeries(stores: SeriesStores): Promise<readonly RecordMismatch[]> {
  const found: RecordMismatch[] = [];
  for await (const { key } of listRecords(stores.meta, "cluster", { prefix: "" })) {
    const cluster = decodeClusterName(key);
    if (cluster !== undefined) found.push(...(await compareCluster(stores, cluster)));
  }
  return found;
}

async function compareCluster(stores: SeriesStores, cluster: ClusterName): Promise<readonly RecordMismatch[]> {
  const before = await storedSeries(stores, cluster);
  const ofJobs = await runsOfJobs(stores, cluster);
  const expiredBefore = await expiries(stores, cluster);
  const found: RecordMismatch[] = [];
  for (const key of new Set([...before.keys(), ...ofJobs.keys()])) {
    const stored = before.get(key);
    const expected = expectedValue({ stored, ofJobs: ofJobs.get(key) ?? [], expiredBefore: await expiredBefore(key) });
    if (expected === stored?.value || (await hasChanged(stores, key, stored))) continue;
    found.push({ kind: "series", key, version: versionOf(stored), ...problemOf(stored, expected) });
  }
  return found;
}

async function storedSeries({ meta }: SeriesStores, cluster: ClusterName): Promise<ReadonlyMap<string, MetaRecord>> {
  const records = new Map<string, MetaRecord>();
  for await (const record of listRecords(meta, "series", { prefix: ofCluster(cluster) })) {
    records.set(record.key, record);
  }
  return records;
}

async function hasChanged({ meta }: SeriesStores, key: string, before: MetaRecord | undefined): Promise<boolean> {
  return versionOf(await meta.read("series", key)) !== versionOf(before);
}

/** 0 without a record. */
function versionOf(record: MetaRecord | undefined): number {
  return record?.version ?? 0;
}

function problemOf(stored: MetaRecord | undefined, expected: string | undefined) {
  if (expected === undefined) return { problem: "additional" } as const;
  return { problem: stored === undefined ? ("missing" as const) : ("different" as const), expected };
}

/** The past runs of each series, by the key of its record. */
async function runsOfJobs(
  { jobs, storedJobs }: SeriesStores,
  cluster: ClusterName,
): Promise<ReadonlyMap<string, PastRuns>> {
  const series = new Map<string, PastRuns>();
  const slice = new TimeSlice();
  for await (const jobUid of storedJobs(cluster)) {
    await slice.next();
    const view = await readJob(jobs, { cluster, jobUid });
    for (const run of view === undefined ? [] : seriesRunsOf(cluster, view.job)) {
      series.set(run.key, withSeriesRun(series.get(run.key) ?? [], run));
    }
  }
  return series;
}

/** The instant before which Jobs of a record's namespace, or their facts, may have expired. */
async function expiries(stores: SeriesStores, cluster: ClusterName): Promise<(key: string) => Promise<Instant>> {
  const { since } = (await logBegins(stores))(cluster);
  return async (key) => Math.max(since, await removedBefore(stores.meta, key));
}

interface KnownRuns {
  readonly stored: MetaRecord | undefined;
  readonly ofJobs: PastRuns;
  readonly expiredBefore: Instant;
}

/** The value that a record must have; `undefined` if there is none. */
function expectedValue({ stored, ofJobs, expiredBefore }: KnownRuns): string | undefined {
  const known = new Set(ofJobs.map(({ id }) => id));
  const expired = readableRuns(stored).filter(({ id, endedAt }) => !known.has(id) && endedAt < expiredBefore);
  const runs = expired.reduce((all, run) => withSeriesRun(all, { id: run.id, run }), ofJobs);
  // A record expires with the last Job of its series. One may be left whose only run was none after all.
  const isNeeded = runs.some(({ endedAt }) => endedAt >= expiredBefore);
  return isNeeded || stored?.value === seriesRecord.encode(runs) ? seriesRecord.encode(runs) : undefined;
}
