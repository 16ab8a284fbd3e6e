import type { Instant } from "../../job/model/instant.ts";
import type { Eraser } from "../../ports/erasing/eraser.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { readRecord } from "../../ports/records/record-codec.ts";
import { removedRecord } from "../../ports/records/removed-record.ts";
import { readableRuns } from "../../projection/series/series-runs.ts";

/** The instant before which retention has deleted Jobs of the namespace of a series' record. */
export async function removedBefore(meta: MetaStore, key: string): Promise<Instant> {
  // The key of what retention has deleted is the beginning of the key of a series: its cluster and its namespace.
  const removed = await readRecord(meta, removedRecord, key.slice(0, key.lastIndexOf("#")));
  return removed?.value.endedBefore ?? -Infinity;
}

/** Deletes the records of series whose last Job has expired. Returns how many there were. */
export async function forgetSeries(meta: MetaStore, eraser: Pick<Eraser, "removeRecord">): Promise<number> {
  let forgotten = 0;
  for await (const record of listRecords(meta, "series", { prefix: "" })) {
    const { endedAt = -Infinity } = readableRuns(record).at(-1) ?? {};
    if (endedAt >= (await removedBefore(meta, record.key))) continue;
    await eraser.removeRecord("series", record.key);
    forgotten += 1;
  }
  return forgotten;
}
