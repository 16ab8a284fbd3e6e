import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveDatabase, scheduleArchive } from "../../../src/host/embedded/archive-database.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { EIGHT, endedJob, HOUR, tableRows } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

let folder: string;
let embedded: Embedded;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
  embedded = openEmbedded(join(folder, "database.sqlite"));
  await embedded.importFacts(reportFacts(), { cluster: clusterNamed("east"), now: Date.now() - 3 * HOUR });
});
afterEach(() => {
  embedded.close();
  rmSync(folder, { recursive: true, force: true });
});

async function* reportFacts() {
  yield endedJob({ name: "report", createdAt: EIGHT });
}

describe("the archive of a database", () => {
  it("has a row for each Job that ended", async () => {
    const store = new MemoryObjects();
    await archiveDatabase(embedded, store, { now: Date.now() });
    expect((await tableRows(store, "jobs")).map(({ name }) => name)).toEqual(["report"]);
  });

  it("is written at once by a schedule, which ends after the current hour", async () => {
    const store = new MemoryObjects();
    const failures: unknown[] = [];
    await scheduleArchive(embedded, store, (error) => failures.push(error)).stop();
    expect(failures).toEqual([]);
    expect(store.keys.every((key) => !key.startsWith("jobs/"))).toBe(true);
  });

  it("reports a failure of a run", async () => {
    const store = new MemoryObjects(new Map([["manifest/dt=2026-11-21/hour=08/manifest.json", Buffer.from("{}")]]));
    const failures: unknown[] = [];
    await scheduleArchive(embedded, store, (error) => failures.push(error)).stop();
    expect(String(failures[0])).toContain("ManifestInvalidError");
  });
});
