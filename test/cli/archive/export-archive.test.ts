import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exportArchive } from "../../../cli/archive/export-archive.ts";
import { runErase } from "../../../cli/erase/run-erase.ts";
import { verifyArchiveIn } from "../../../cli/archive/verify-archive.ts";
import { readClusterName } from "../../../src/host/command-line/cluster-name.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { endedJob, HOUR } from "../../support/archive/archive-scene.ts";

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
  printed = [];
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** A database with a Job that was imported some time ago. */
async function databaseOf(importedAgo: number, name = "database.sqlite"): Promise<string> {
  const path = join(folder, name);
  const embedded = openEmbedded(path);
  const now = Date.now() - importedAgo;
  const facts = endedJob({ name: "report", createdAt: now - HOUR });
  await embedded.importFacts(oneByOne([facts]), { cluster: readClusterName("east"), now });
  embedded.close();
  return path;
}

async function* oneByOne<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

describe("an export of the archive", () => {
  it("says what it has, and the archive is verified", async () => {
    const archive = join(folder, "archive");
    await exportArchive(archive, { database: await databaseOf(2 * HOUR) });
    expect(printed.join("")).toMatch(
      /^Archived [12] hours? to .*archive\. It has the log until .*; its head is [0-9a-f]{64}\.\n$/,
    );
    await verifyArchiveIn({ archive }, undefined);
    expect(printed.join("")).toMatch(/Verified [12] hours? and 4 objects of .*archive: no problems\./);
  });

  it("has nothing while no hour is closed", async () => {
    await exportArchive(join(folder, "archive"), { database: await databaseOf(0) });
    expect(printed.join("")).toContain("archive it with --now");
  });

  it("has the current hour with --now, and may be repeated", async () => {
    const options = { database: await databaseOf(0), now: true };
    await exportArchive(join(folder, "archive"), options);
    await exportArchive(join(folder, "archive"), options);
    await exportArchive(join(folder, "archive"), { database: options.database });
    expect(printed.join("")).toMatch(
      /^Archived [12] hours? to .*\nArchived 0 hours to .* It has the log until .*\n.*which has not ended/,
    );
  });

  it("without a closed hour does not make an erasure ask for an archive that is not there", async () => {
    const database = await databaseOf(0);
    await exportArchive(join(folder, "archive"), { database });
    const flags = { cluster: "east", reason: "request-1", yes: true, database } as const;
    await runErase(undefined, { ...flags, output: "table", headers: true, color: "never" });
    expect(printed.join("")).toContain("Delete what has left the database");
  });

  it("refuses the archive of another database", async () => {
    const archive = join(folder, "archive");
    await exportArchive(archive, { database: await databaseOf(2 * HOUR) });
    const other = await databaseOf(2 * HOUR, "other.sqlite");
    await expect(exportArchive(archive, { database: other })).rejects.toThrow("belongs to another database");
  });
});

describe("an archive to verify", () => {
  it("must exist", async () => {
    await expect(verifyArchiveIn({ archive: join(folder, "none") }, undefined)).rejects.toThrow("There is no archive");
  });
});
