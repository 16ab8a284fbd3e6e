import type { ErasableArchive, NoteErasureFile } from "../../log/erasure/erasable-archive.ts";
import type { Erasure } from "../../log/erasure/erasure.ts";
import type { ErasureCounts } from "../../log/erasure/erasure-record.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { wrappedObjects } from "../../ports/objects/wrapped-objects.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import type { Segment } from "../../segment/segment.ts";
import { DATA_FOLDERS, partitionOfKey } from "../layout/archive-keys.ts";
import { listChain, readLink } from "../layout/chain.ts";
import { encodeErasureFile, type ErasedObject, type ErasureFile, erasureKey } from "../layout/erasure-file.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";
import { type ArchiveErasures, readArchiveErasures } from "../read/archive-erasures.ts";
import { archivedSegments } from "../read/archived-segments.ts";
import { findErasedData, isOfCluster } from "../verify/erased-data.ts";
import { eraseObject } from "./erase-object.ts";

/** An archive as an erasure sees it. */
export function erasableArchive(store: ObjectStore): ErasableArchive {
  return {
    store,
    segments: (cluster) => segmentsOf(store, cluster),
    recorded: async () => (await readArchiveErasures(store)).files,
    findErased: (erasures) => findErasedData(store, erasures),
    erase: (erasure, counts, noteFile) => eraseArchive({ store, noteFile }, erasure, counts),
    countErased: (erasure, counts) =>
      eraseArchive({ store: unchanging(store), noteFile: async () => undefined }, erasure, counts),
  };
}

/** Nothing is written or removed, as if it had been. */
function unchanging(store: ObjectStore): ObjectStore {
  return wrappedObjects(store, { putIfAbsent: async () => "stored", remove: async () => undefined });
}

async function* segmentsOf(store: ObjectStore, cluster: ClusterName): AsyncGenerator<Segment> {
  for await (const { segments } of archivedSegments(store)) {
    for (const { bytes } of segments) {
      const decoded = decodeSegment(bytes);
      if (decoded.outcome === "decoded" && decoded.segment.cluster === cluster) yield decoded.segment;
    }
  }
}

export interface ErasedArchive {
  readonly store: ObjectStore;
  readonly noteFile: NoteErasureFile;
}

/**
 * Rewrites the objects of an archive that have erased data. The manifests stay: the record of the erasure says which
 * object replaces which. The remains are written first, then the record, and the objects are deleted last, with all
 * their versions. After a crash at any step, a repetition continues. Returns how many objects were replaced or removed.
 */
export async function eraseArchive(
  { store, noteFile }: ErasedArchive,
  erasure: Erasure,
  counts: ErasureCounts,
): Promise<number> {
  const erasures = await readArchiveErasures(store);
  const chain = await listChain(store);
  const erased: ErasedObject[] = [];
  const current = new Set<string>();
  for (const name of chain) {
    for (const object of (await readLink(store, name)).manifest.objects) {
      erased.push(...(await eraseCurrent({ store, erasures, object }, erasure, current)));
    }
  }
  const last = chain.at(-1);
  if (last !== undefined && !isRecorded(erasures, erasure.scope.id, erased)) {
    const hashes = [...erasure.known].sort().join("");
    const file = { version: 1, erasure: erasure.scope, counts, hashes, objects: erased, after: last } as const;
    await putErasureFile({ store, noteFile }, file);
  }
  const recorded = await readArchiveErasures(store);
  await removeErasedObjects(store, recorded, current);
  const replaced = [...erased, ...recorded.files.flatMap(({ file }) => file.objects)].map(({ key }) => key);
  return erased.length + (await removeLeft(store, erasure, new Set([...current, ...replaced])));
}

/** Writes the file under the first free key: other runs of the erasure have written theirs. */
async function putErasureFile({ store, noteFile }: ErasedArchive, file: ErasureFile): Promise<void> {
  const bytes = encodeErasureFile(file);
  const sha256 = sha256Of(bytes);
  let run = 0;
  for (;;) {
    const key = erasureKey(file.erasure.id, run);
    const taken = await store.read(key);
    if (taken !== undefined) {
      if (sha256Of(taken) === sha256) return;
      run += 1;
    } else {
      await noteFile({ key, sha256 });
      // Otherwise another process has taken the key in the meantime: the loop reads its file next.
      if ((await store.putIfAbsent(key, bytes)) === "stored") return;
    }
  }
}

/** Whether the existing files record all of this erasure: then no new file is needed. */
function isRecorded(erasures: ArchiveErasures, id: string, erased: readonly ErasedObject[]): boolean {
  return erased.length === 0 && erasures.files.some(({ file }) => file.erasure.id === id);
}

interface ObjectOfLink {
  readonly store: ObjectStore;
  readonly erasures: ArchiveErasures;
  readonly object: ArchivedObject;
}

/** Adds the keys of objects that the archive has now to `current`. */
async function eraseCurrent(
  { store, erasures, object }: ObjectOfLink,
  erasure: Erasure,
  current: Set<string>,
): Promise<readonly ErasedObject[]> {
  const now = erasures.now(object).object;
  if (now === undefined) return [];
  current.add(now.key);
  if (!isOfCluster(now, erasure.scope.cluster)) return [];
  // The object is gone: a compaction has replaced it.
  if ((await store.read(now.key, { start: 0, end: 1 })) === undefined) return [];
  const outcome = await eraseObject(store, now, erasure);
  if (outcome.outcome === "unchanged") return [];
  const { remains } = outcome;
  current.delete(now.key);
  if (remains !== undefined) {
    await store.putIfAbsent(remains.object.key, remains.bytes);
    current.add(remains.object.key);
  }
  return [{ key: now.key, sha256: now.sha256, ...(remains && { remains: remains.object }) }];
}

/** Deletes what erasures have replaced. */
async function removeErasedObjects(
  store: ObjectStore,
  { files }: ArchiveErasures,
  current: ReadonlySet<string>,
): Promise<void> {
  for (const { file } of files) {
    for (const { key } of file.objects) if (!current.has(key)) await eraseCopies(store, key);
  }
}

/** Deletes an object, with its earlier versions if the store keeps them. */
async function eraseCopies(store: ObjectStore, key: string): Promise<void> {
  await (store.erase?.(key) ?? store.remove(key));
}

/**
 * Deletes objects of the cluster that contain erased data and that no manifest lists: an archiver that crashed left
 * them. Also deletes earlier versions of keys that the store no longer lists. `known` are keys that are counted
 * already: those of the archive, and those that an erasure has replaced.
 */
async function removeLeft(store: ObjectStore, erasure: Erasure, known: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  const { cluster } = erasure.scope;
  for (const folder of DATA_FOLDERS) {
    // The store may list parts that a compaction has replaced, or segments that an interrupted erasure left.
    const isHidden = (key: string) => folder === "segments/" || partitionOfKey(key)?.cluster === cluster;
    removed += (await store.eraseHidden?.(folder, isHidden)) ?? 0;
    for await (const { key, bytes } of store.list(folder)) {
      if (known.has(key) || !(await hasErased(store, { key, bytes }, erasure))) continue;
      await eraseCopies(store, key);
      removed += 1;
    }
  }
  return removed;
}

async function hasErased(
  store: ObjectStore,
  { key, bytes }: { readonly key: string; readonly bytes: number },
  erasure: Erasure,
): Promise<boolean> {
  const content = await store.read(key);
  if (content === undefined) return false;
  const object = { key, bytes, sha256: sha256Of(content), rows: 0 };
  return (await eraseObject(store, object, erasure)).outcome === "erased";
}
