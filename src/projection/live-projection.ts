import type { JobStore, RunStore } from "../ports/jobs.ts";
import type { MetaStore } from "../ports/meta.ts";
import { LIVE_KEY } from "../ports/meta-key.ts";
import { type LivePointer, liveRecord } from "../ports/records/live-record.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import type { Projections } from "../ports/projections.ts";

export interface StoredPointer extends LivePointer {
  readonly version: number;
}

/** Reads the pointer. Before the first replay, projection A is live. */
export async function readLivePointer(meta: MetaStore): Promise<StoredPointer> {
  const record = await readRecord(meta, liveRecord, LIVE_KEY);
  if (record === undefined) return { live: "A", version: 0 };
  return { ...record.value, version: record.version };
}

/** Moves the pointer, unless another writer moved it since it was read. Keeps the time of the last switch. */
export async function moveLivePointer(
  meta: MetaStore,
  from: StoredPointer,
  to: LivePointer,
): Promise<StoredPointer | "conflict"> {
  const switchedAt = to.switchedAt ?? from.switchedAt;
  const value = { ...to, ...(switchedAt !== undefined && { switchedAt }) };
  const written = await writeRecord(meta, liveRecord, { key: LIVE_KEY, value, expected: from.version });
  return written.outcome === "conflict" ? "conflict" : { ...value, version: written.version };
}

/** Opens the live projection. Call it for every query, because a replay switches the pointer. */
export async function liveJobs(projections: Projections, meta: MetaStore): Promise<JobStore> {
  return projections.open((await readLivePointer(meta)).live);
}

/** The same with its runs. */
export async function liveStores(
  projections: Projections,
  meta: MetaStore,
): Promise<{ readonly jobs: JobStore; readonly runs: RunStore }> {
  const { live } = await readLivePointer(meta);
  return { jobs: projections.open(live), runs: projections.runs(live) };
}
