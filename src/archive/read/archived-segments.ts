import type { ObjectStore } from "../../ports/object-store.ts";
import { listChain, readLink } from "../layout/chain.ts";
import { sha256Of } from "../layout/manifest.ts";
import { decodeSegmentFile, type FiledSegment } from "../layout/segment-file.ts";

/** The segments of an archive, file by file in the order of their arrival. Throws ArchiveDamagedError. */
export async function* archivedSegments(store: ObjectStore): AsyncGenerator<readonly FiledSegment[]> {
  for (const name of await listChain(store)) {
    const { manifest } = await readLink(store, name);
    for (const { key, sha256 } of manifest.objects.filter((object) => object.key.startsWith("segments/"))) {
      const bytes = await store.read(key);
      if (bytes === undefined) throw new ArchiveDamagedError(store, key, "it is missing.");
      if (sha256Of(bytes) !== sha256) throw new ArchiveDamagedError(store, key, "its SHA-256 is not in its manifest.");
      const file = decodeSegmentFile(bytes);
      if (file.outcome === "rejected") throw new ArchiveDamagedError(store, key, file.reason);
      yield file.segments;
    }
  }
}

/** A segment file is missing or was changed. */
export class ArchiveDamagedError extends Error {
  override readonly name = "ArchiveDamagedError";

  constructor(store: ObjectStore, key: string, reason: string) {
    super(`Cannot read ${key} of archive ${store.name}: ${reason} Restore it from a copy of the archive.`);
  }
}
