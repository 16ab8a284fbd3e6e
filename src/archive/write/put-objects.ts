import type { ObjectStore } from "../../ports/object-store.ts";
import { wrappedObjects } from "../../ports/objects/wrapped-objects.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { segmentsKey } from "../layout/archive-keys.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";
import type { FinishedPart } from "./part-set.ts";
import type { SegmentFile } from "./segment-filer.ts";

/** Stores a segment file under the hash of its bytes. */
export async function putSegments(
  store: ObjectStore,
  hour: ArchiveHour,
  { cluster, bytes, segments, factsRoot }: SegmentFile,
): Promise<ArchivedObject> {
  const sha256 = sha256Of(bytes);
  const key = segmentsKey(hour, sha256);
  await store.putIfAbsent(key, bytes);
  return { key, sha256, bytes: bytes.length, rows: segments, cluster, factsRoot };
}

/**
 * Stores a part. If its key already has other rows (from another archiver, or from a crashed run before the log grew),
 * the part gets a new key, and no manifest lists the old one.
 */
export async function putPart(store: ObjectStore, { key, bytes, rows }: FinishedPart): Promise<ArchivedObject> {
  const sha256 = sha256Of(bytes);
  const written = { key, sha256, bytes: bytes.length, rows };
  if ((await store.putIfAbsent(key, bytes)) === "stored") return written;
  const stored = await store.read(key);
  if (stored !== undefined && sha256Of(stored) === sha256) return written;
  const own = key.replace(/\.parquet$/, `-${sha256.slice(0, 8)}.parquet`);
  await store.putIfAbsent(own, bytes);
  return { ...written, key: own };
}

/** A store that records the keys of objects that it created. */
export function notingStored(store: ObjectStore, keys: Set<string>): ObjectStore {
  return wrappedObjects(store, {
    putIfAbsent: async (key, bytes) => {
      const outcome = await store.putIfAbsent(key, bytes);
      if (outcome === "stored") keys.add(key);
      return outcome;
    },
  });
}
