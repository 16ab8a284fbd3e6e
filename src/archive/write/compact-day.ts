import { compareText } from "../../job/model/compare-text.ts";
import { decodeClusterName } from "../../job/model/ids.ts";
import { formatInstant } from "../../job/model/instant.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { type ArchiveHour, hourBegin, HOURS_PER_DAY } from "../layout/archive-hour.ts";
import { partitionOfKey, partitionPath, partKey, type RowPartition, type TableName } from "../layout/archive-keys.ts";
import { type ChainLink, listChain } from "../layout/chain.ts";
import { type ArchivedObject, countRows, type Manifest, sha256Of } from "../layout/manifest.ts";
import type { TableRow } from "../parquet/column.ts";
import { PartUnreadableError, readRows } from "../parquet/read-part.ts";
import { type ArchiveErasures, readCurrentLink } from "../read/archive-erasures.ts";
import { COLUMNS } from "../rows/job-rows.ts";
import { PartSet } from "./part-set.ts";
import { putPart } from "./put-objects.ts";
import { replacedRows } from "./replaced-rows.ts";

export interface DayRun {
  /** The last hour of the day. */
  readonly hour: ArchiveHour;
  readonly archive: string;
  readonly previous: string;
  /** What was erased from the hours of the day. */
  readonly erasures: ArchiveErasures;
}

/**
 * Merges the parts of the hours of a day into one part per table, day and cluster, and returns the manifest that
 * replaces them. Of rows of one Job, run or Pod, the one with the highest revision stays. A part that was changed is
 * not merged: afterwards, nothing would prove the change.
 */
export async function compactDay(store: ObjectStore, { hour, archive, previous, erasures }: DayRun): Promise<Manifest> {
  const manifests = await hoursOfDay(store, hour, erasures);
  const old = manifests.flatMap(({ manifest }) => manifest.objects.filter(({ key }) => partitionOfKey(key)));
  const objects: ArchivedObject[] = [];
  for (const [partition, parts] of byPartition(old)) {
    for (const part of parts) await checkPart(store, part);
    const set = new PartSet({ kind: "day", hour });
    for await (const row of mergedRows(store, partition.table, parts)) {
      for (const part of set.add(partition, COLUMNS[partition.table], row)) objects.push(await putPart(store, part));
    }
    for (const part of set.finish()) objects.push(await putPart(store, part));
  }
  return {
    version: 1,
    archive,
    kind: "day",
    hour: formatInstant(hourBegin(hour)),
    previous,
    objects,
    replaces: old.map(({ key }) => key).sort(compareText),
    counts: countRows(objects),
  };
}

/** Throws PartUnreadableError if the bytes of a part are not those that its manifest vouches for. */
async function checkPart(store: ObjectStore, { key, bytes, sha256 }: ArchivedObject): Promise<void> {
  const stored = await store.read(key);
  if (stored !== undefined && sha256Of(stored) === sha256) return;
  const reason = stored === undefined ? "the object is missing." : "its SHA-256 is not the one in its manifest.";
  throw new PartUnreadableError({ store, key, bytes }, reason);
}

/** Deletes the parts that a compaction replaced, and parts of the same hours that crashed runs left. */
export async function removeMergedParts(store: ObjectStore, { name, manifest }: ChainLink): Promise<void> {
  for (const key of manifest.replaces ?? []) await store.remove(key);
  for (const [partition] of byPartition(manifest.objects)) {
    const ofHours = partKey(partition, name, 0).replace(/\.parquet$/, "-h");
    for await (const { key } of store.list(`${partitionPath(partition)}/`)) {
      if (key.startsWith(ofHours)) await store.remove(key);
    }
  }
}

async function hoursOfDay(
  store: ObjectStore,
  last: ArchiveHour,
  erasures: ArchiveErasures,
): Promise<readonly ChainLink[]> {
  const names = (await listChain(store)).filter(
    ({ kind, hour }) => kind === "hour" && hour <= last && hour > last - HOURS_PER_DAY,
  );
  const links: ChainLink[] = [];
  for (const name of names) links.push(await readCurrentLink(store, name, erasures));
  return links;
}

function byPartition(
  objects: readonly ArchivedObject[],
): readonly (readonly [RowPartition, readonly ArchivedObject[]])[] {
  const groups = new Map<string, [RowPartition, ArchivedObject[]]>();
  for (const object of objects) {
    const found = partitionOfKey(object.key);
    const cluster = decodeClusterName(found?.cluster);
    if (found === undefined || cluster === undefined) continue;
    const partition = { ...found, cluster };
    const [, parts] = groups.get(partitionPath(partition)) ?? [partition, []];
    parts.push(object);
    groups.set(partitionPath(partition), [partition, parts]);
  }
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}

/** The columns that identify a row. Facts are written once. */
const IDENTITIES: { readonly [Table in TableName]: readonly string[] } = {
  jobs: ["uid"],
  runs: ["key"],
  attempts: ["job_uid", "uid"],
  facts: [],
};

/** The rows of all parts in order, without those that a later revision replaced. */
async function* mergedRows(
  store: ObjectStore,
  table: TableName,
  objects: readonly ArchivedObject[],
): AsyncGenerator<TableRow> {
  const parts = objects.map((object) => ({ ...object, store }));
  const replaced = await replacedRows({ parts, identity: IDENTITIES[table] });
  let number = 0;
  for (const part of parts) {
    for await (const rows of readRows(part)) {
      for (const row of rows) {
        if (!replaced.has(number)) yield row;
        number += 1;
      }
    }
  }
}
