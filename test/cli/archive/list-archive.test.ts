import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exportArchive } from "../../../cli/archive/export-archive.ts";
import { listArchive } from "../../../cli/archive/list-archive.ts";
import { readClusterName } from "../../../src/host/command-line/cluster-name.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { HOUR } from "../../support/archive/archive-scene.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";

let folder: string;
let printed: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
  printed = "";
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

async function* once<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

async function archiveOfARun(): Promise<string> {
  const [database, archive] = [join(folder, "database.sqlite"), join(folder, "archive")];
  const embedded = openEmbedded(database);
  const options = { cluster: readClusterName("east"), now: Date.now() - 2 * HOUR };
  await embedded.importFacts(once(restartedJobSet()), options);
  embedded.close();
  await exportArchive(archive, { database });
  return archive;
}

describe("the list of an archive", () => {
  it("has the Jobs, runs and attempts of each hour", async () => {
    const archive = await archiveOfARun();
    await listArchive({ archive }, { output: "json", headers: true, color: "never" });
    const [{ counts } = { counts: undefined }] = (JSON.parse(printed) as { items: { counts: object }[] }).items;
    expect(counts).toMatchObject({ jobs: 4, runs: 1, attempts: 4 });
  });

  it("is a table", async () => {
    const archive = await archiveOfARun();
    await listArchive({ archive }, { output: "table", headers: true, color: "never" });
    expect(printed).toMatch(/^HOUR +KIND +SEGMENTS +FACTS +JOBS +RUNS +ATTEMPTS +OBJECTS +BYTES\n/);
    expect(printed).toMatch(/ hour +1 +\d+ +4 +1 +4 +\d+ +\d+\n/);
  });
});
