import { archiveName } from "../../src/ports/deployment/archive-location.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import type { ArchivePlace } from "../../src/ports/deployment/settings/function-settings.ts";
import { objectsOnDemand } from "./objects-on-demand.ts";
import type { OpenArchiveOptions } from "./open-archive.ts";

/** The archive of the stage, for functions that seldom read it. */
export function archiveOnDemand(place: ArchivePlace, options?: OpenArchiveOptions): ObjectStore {
  return objectsOnDemand(archiveName(place), async () =>
    (await import("./open-archive.ts")).openArchive(place, options),
  );
}
