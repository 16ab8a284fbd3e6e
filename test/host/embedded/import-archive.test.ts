import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveDatabase } from "../../../src/host/embedded/archive-database.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { importArchive } from "../../../src/host/embedded/import-archive.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { verifyProjection } from "../../../src/upkeep/replay/verify-projection.ts";
import { EIGHT, endedJob, HOUR, jobDeleted } from "../../support/archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const cluster = clusterNamed("east");
const now = EIGHT + 40 * HOUR;
let folder: string;
let original: Embedded;
let rebuilt: Embedded;
let store: MemoryObjects;

async function* told(facts: readonly Fact[]): AsyncGenerator<readonly Fact[]> {
  yield facts;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
  original = openEmbedded(join(folder, "original.sqlite"));
  rebuilt = openEmbedded(join(folder, "rebuilt.sqlite"));
  store = new MemoryObjects();
  const story = { name: "report", createdAt: EIGHT };
  await original.importFacts(told(endedJob(story)), { cluster, now: EIGHT + HOUR });
  await original.importFacts(told([jobDeleted(story, EIGHT + 2 * HOUR)]), { cluster, now: EIGHT + 3 * HOUR });
  await archiveDatabase(original, store, { now });
});
afterEach(() => {
  original.close();
  rebuilt.close();
  rmSync(folder, { recursive: true, force: true });
});

async function stateIn({ projections, meta }: Embedded) {
  return (await liveJobs(projections, meta)).read({ cluster, jobUid: jobUid("report") });
}

describe("a database that was rebuilt from an archive alone", () => {
  it("has the same states as the original", async () => {
    expect(await importArchive(rebuilt, store, () => {})).toMatchObject({ outcome: "imported", segments: 2 });
    const [was, is] = [await stateIn(original), await stateIn(rebuilt)];
    expect(is?.bytes).toEqual(was?.bytes);
    const { log, meta, projections } = rebuilt;
    const verified = await verifyProjection({ log, meta, jobs: await liveJobs(projections, meta) });
    expect(verified).toMatchObject({ jobs: 1, segments: 2, mismatches: [] });
  });

  it("gives the same archive, byte for byte", async () => {
    await importArchive(rebuilt, store, () => {});
    const again = new MemoryObjects();
    await archiveDatabase(rebuilt, again, { now });
    expect(again.keys).toEqual(store.keys);
    expect(again.objects).toEqual(store.objects);
  });

  it("continues the archive", async () => {
    await importArchive(rebuilt, store, () => {});
    const archived = await archiveDatabase(rebuilt, store, { now: now + HOUR });
    expect(archived).toMatchObject({ hours: 1 });
  });

  it("must have been empty", async () => {
    expect(await importArchive(original, store, () => {})).toEqual({ outcome: "notEmpty" });
  });
});
