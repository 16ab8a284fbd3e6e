import type { ObjectStore } from "../../ports/object-store.ts";
import { manifestKey } from "../layout/archive-keys.ts";
import { type ChainLink, listChain, readLink } from "../layout/chain.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import { type ArchivedObject, sha256Of } from "../layout/manifest.ts";
import { readArchiveErasures, readCurrentLink } from "./archive-erasures.ts";
import { decodeSegmentFile, type FiledSegment } from "../layout/segment-file.ts";

/** The segments of one file of an archive, and the hour in which they arrived. */
export interface ArchivedFile {
  readonly hour: ArchiveHour;
  readonly segments: readonly FiledSegment[];
}

/**
 * The segments of an archive, file by file, hour by hour. Throws ArchiveDamagedError, also where a manifest does not
 * follow the one before it: it was removed, changed, or comes from another archive.
 */
export async function* archivedSegments(store: ObjectStore): AsyncGenerator<ArchivedFile> {
  let last: ChainLink | undefined;
  const erasures = await readArchiveErasures(store);
  for (const name of await listChain(store)) {
    const link = await readLink(store, name);
    checkFollows(store, link, last);
    last = link;
    for (const object of erasures.objectsOf(link)) {
      if (!object.key.startsWith("segments/")) continue;
      yield { hour: name.hour, segments: await readSegmentFile(store, object) };
    }
  }
}

function checkFollows(store: ObjectStore, { name, manifest }: ChainLink, last: ChainLink | undefined): void {
  if (manifest.previous !== (last?.sha256 ?? "")) {
    const reason = last === undefined ? "earlier manifests are missing." : "it does not follow the manifest before it.";
    throw new ArchiveDamagedError(store, manifestKey(name), reason);
  }
  if (last !== undefined && manifest.archive !== last.manifest.archive) {
    throw new ArchiveDamagedError(store, manifestKey(name), "it belongs to another archive.");
  }
}

/** The SHA-256 of each segment of an hour. Throws ArchiveDamagedError. */
export async function hourHashes(store: ObjectStore, hour: ArchiveHour): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const { manifest } = await readCurrentLink(store, { kind: "hour", hour }, await readArchiveErasures(store));
  for (const object of manifest.objects) {
    if (!object.key.startsWith("segments/")) continue;
    for (const { bytes } of await readSegmentFile(store, object)) found.add(sha256Of(bytes));
  }
  return found;
}

/** The segments of a file that its manifest vouches for. Throws ArchiveDamagedError. */
export async function readSegmentFile(
  store: ObjectStore,
  { key, sha256 }: Pick<ArchivedObject, "key" | "sha256">,
): Promise<readonly FiledSegment[]> {
  const bytes = await store.read(key);
  if (bytes === undefined) throw new ArchiveDamagedError(store, key, "it is missing.");
  if (sha256Of(bytes) !== sha256) throw new ArchiveDamagedError(store, key, "its SHA-256 is not in its manifest.");
  const file = decodeSegmentFile(bytes);
  if (file.outcome === "rejected") throw new ArchiveDamagedError(store, key, file.reason);
  return file.segments;
}

/** A segment file or a manifest is missing or was changed. */
export class ArchiveDamagedError extends Error {
  override readonly name = "ArchiveDamagedError";

  constructor(store: ObjectStore, key: string, reason: string) {
    super(`Cannot read ${key} of archive ${store.name}: ${reason} Restore it from a copy of the archive.`);
  }
}
