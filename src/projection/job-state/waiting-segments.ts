import type { JobKey } from "../../ports/jobs.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { waitingKey } from "../../ports/meta-key.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { readRecord, writeRecord } from "../../ports/records/record-codec.ts";
import { type WaitingSegments, waitingRecord } from "../../ports/records/waiting-record.ts";

export interface StoredWaiting extends WaitingSegments {
  readonly version: number;
}

export async function readWaiting(
  meta: MetaStore,
  job: JobKey,
  projection: ProjectionName,
): Promise<StoredWaiting | undefined> {
  const record = await readRecord(meta, waitingRecord, waitingKey(job, projection));
  return record && { ...record.value, version: record.version };
}

/** Writes the record, unless another writer changed it since it was read. */
export async function writeWaiting(
  meta: MetaStore,
  {
    job,
    projection,
    waiting,
  }: { readonly job: JobKey; readonly projection: ProjectionName; readonly waiting: WaitingSegments },
  read: StoredWaiting | undefined,
): Promise<"written" | "conflict"> {
  const { calledAt, names } = waiting;
  const write = { key: waitingKey(job, projection), value: { calledAt, names }, expected: read?.version ?? 0 };
  return (await writeRecord(meta, waitingRecord, write)).outcome;
}
