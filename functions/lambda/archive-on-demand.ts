import { archiveName } from "../../src/ports/deployment/archive-location.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import type { ArchivePlace } from "../../src/ports/deployment/settings/function-settings.ts";
import type { OpenArchiveOptions } from "./open-archive.ts";

/**
 * The archive of the stage, for functions that seldom read it: S3's client is loaded with the first request, and not
 * whenever the function starts.
 */
export function archiveOnDemand(place: ArchivePlace, options?: OpenArchiveOptions): ObjectStore {
  let opened: Promise<ObjectStore> | undefined;
  const open = (): Promise<ObjectStore> => {
    opened ??= import("./open-archive.ts").then(({ openArchive }) => openArchive(place, options));
    return opened;
  };
  return {
    name: archiveName(place),
    putIfAbsent: async (key, bytes) => (await open()).putIfAbsent(key, bytes),
    read: async (key, range) => (await open()).read(key, range),
    list: async function* listed(prefix) {
      yield* (await open()).list(prefix);
    },
    remove: async (key) => (await open()).remove(key),
  };
}
