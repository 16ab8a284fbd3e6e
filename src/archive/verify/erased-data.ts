import { type Fact, isJobFact } from "../../job/model/fact.ts";
import { Erasure } from "../../log/erasure/erasure.ts";
import { splitHashes } from "../../log/erasure/salted-names.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { DATA_FOLDERS, partitionOfKey, type TableName } from "../layout/archive-keys.ts";
import { listChain, readLink } from "../layout/chain.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";
import type { TableRow } from "../parquet/column.ts";
import { readRows } from "../parquet/read-part.ts";
import { type ArchiveErasures, readArchiveErasures } from "../read/archive-erasures.ts";
import { readSegmentFile } from "../read/archived-segments.ts";

/** An object of an archive that has data of an erasure. */
export interface ErasedDataObject {
  readonly key: string;
  readonly erasureId: string;
  /** Whether a manifest lists the object, or the object whose remains it is. */
  readonly isListed: boolean;
}

/** The erasures of an archive, each joined from all files that record it. */
export function erasuresIn({ files }: ArchiveErasures): readonly Erasure[] {
  const known = new Map<string, Set<string>>();
  for (const { file } of files) {
    const hashes = known.get(file.erasure.id) ?? new Set();
    for (const hash of splitHashes(file.hashes)) hashes.add(hash);
    known.set(file.erasure.id, hashes);
  }
  const scopes = new Map(files.map(({ file }) => [file.erasure.id, file.erasure]));
  return [...scopes].map(([id, scope]) => new Erasure(scope, known.get(id)));
}

/**
 * Finds the objects that still have data of erasures: an erasure was stopped, an archiver that was killed left them, or
 * the archive is a copy that is older. Reads every object of the clusters once. Segments of later releases are left
 * out. Throws ArchiveDamagedError and PartUnreadableError.
 */
export async function* findErasedData(
  store: ObjectStore,
  erasures: readonly Erasure[],
): AsyncGenerator<ErasedDataObject> {
  if (erasures.length === 0) return;
  const replaced = await readArchiveErasures(store);
  const listed = new Set<string>();
  for (const name of await listChain(store)) {
    for (const object of replaced.objectsOf(await readLink(store, name))) {
      listed.add(object.key);
      const erasureId = await erasureIn(store, object, erasures);
      if (erasureId !== undefined) yield { key: object.key, erasureId, isListed: true };
    }
  }
  for (const folder of DATA_FOLDERS) {
    for await (const { key } of store.list(folder)) {
      if (listed.has(key)) continue;
      const erasureId = await erasureIn(store, await unlistedObject(store, key), erasures);
      if (erasureId !== undefined) yield { key, erasureId, isListed: false };
    }
  }
}

/** An object that no manifest has, with the hash that it has now. */
async function unlistedObject(store: ObjectStore, key: string): Promise<ArchivedObject> {
  const bytes = (await store.read(key)) ?? Buffer.of();
  return { key, bytes: bytes.length, sha256: sha256Of(bytes), rows: 0 };
}

/** The first erasure of which an object has data. A compaction or an erasure may have removed the object. */
async function erasureIn(
  store: ObjectStore,
  object: ArchivedObject,
  all: readonly Erasure[],
): Promise<string | undefined> {
  const partition = partitionOfKey(object.key);
  const isSegments = object.key.startsWith("segments/");
  if (partition === undefined && !isSegments) return undefined;
  const isUnknown = isSegments && object.cluster === undefined;
  const erasures = all.filter(({ scope }) => isUnknown || isOfCluster(object, scope.cluster));
  if (erasures.length === 0 || (await store.read(object.key, { start: 0, end: 1 })) === undefined) return undefined;
  return partition === undefined
    ? erasureOfSegments(store, object, erasures)
    : erasureOfPart({ store, object, table: partition.table }, erasures);
}

/** Whether segments contain data of an erasure. An erasure that learns a new Job from them was never complete. */
async function erasureOfSegments(
  store: ObjectStore,
  object: ArchivedObject,
  erasures: readonly Erasure[],
): Promise<string | undefined> {
  for (const { bytes } of await readSegmentFile(store, object)) {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "rejected") continue;
    const { segment } = decoded;
    const isErasedBy = (erasure: Erasure): boolean =>
      erasure.learn(segment).length > 0 || segment.facts.some((fact: Fact) => erasure.isErased(segment.cluster, fact));
    const found = erasures.find(isErasedBy);
    if (found !== undefined) return found.scope.id;
  }
  return undefined;
}

interface PartOfTable {
  readonly store: ObjectStore;
  readonly object: ArchivedObject;
  readonly table: TableName;
}

async function erasureOfPart(
  { store, object, table }: PartOfTable,
  erasures: readonly Erasure[],
): Promise<string | undefined> {
  for await (const rows of readRows({ store, key: object.key, bytes: object.bytes })) {
    for (const row of rows) {
      const found = erasures.find((erasure) => isErasedRow(table, row, erasure));
      if (found !== undefined) return found.scope.id;
    }
  }
  return undefined;
}

/** Whether an object can have data of a cluster at all. */
export function isOfCluster({ key, cluster }: ArchivedObject, wanted: string): boolean {
  return (cluster ?? partitionOfKey(key)?.cluster) === wanted;
}

/** Whether an erasure removes a row of a part. */
export function isErasedRow(table: TableName, row: TableRow, erasure: Erasure): boolean {
  const cluster = String(row["cluster"]);
  switch (table) {
    case "jobs":
      return erasure.isErasedJob(cluster, String(row["uid"]));
    case "runs":
      return uidsOfRun(row).some((uid) => erasure.isErasedJob(cluster, String(uid)));
    case "attempts":
      return erasure.isErasedJob(cluster, String(row["job_uid"]));
    case "facts": {
      const fact = factOf(row);
      if (fact === undefined) return erasure.isErasedJob(cluster, String(row["job_uid"]));
      return isJobFact(fact) && erasure.isErasedJob(cluster, fact.jobUid) ? true : erasure.isErased(cluster, fact);
    }
  }
}

/** A row of a run cannot be derived again without one of its Jobs. */
function uidsOfRun({ key, uid, members }: TableRow): readonly unknown[] {
  const ofJobs = Array.isArray(members) ? members.map((member: TableRow) => member["uid"]) : [];
  return [key, uid, ...ofJobs];
}

/** The fact that a row has as JSON: the archiver wrote it from one. */
function factOf({ fact }: TableRow): Fact | undefined {
  return typeof fact === "string" ? (JSON.parse(fact) as Fact) : undefined;
}
