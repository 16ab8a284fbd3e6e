import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { importArchiveInto } from "../../../cli/archive/import-archive.ts";
import { createFolderObjects } from "../../../src/adapters/folder/folder-objects.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

let folder: string;
let archive: string;
let printed: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-archive-"));
  archive = join(folder, "archive");
  const scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  await scene.archive(EIGHT + 2 * HOUR, createFolderObjects(archive));
  printed = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => printed.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe("an import of an archive", () => {
  it("says how many segments it restored", async () => {
    await importArchiveInto({ archive }, join(folder, "new.sqlite"));
    expect(printed.join("")).toContain(`Imported 1 segment of ${archive} into ${join(folder, "new.sqlite")}.`);
  });

  it("fails into a database that has a log", async () => {
    await importArchiveInto({ archive }, join(folder, "new.sqlite"));
    await expect(importArchiveInto({ archive }, join(folder, "new.sqlite"))).rejects.toThrow("has a log already");
  });

  it("fails if a segment file was changed, and names it", async () => {
    const segments = join(archive, "segments");
    const file = readdirSync(segments, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".seg"));
    writeFileSync(join(segments, file ?? ""), "OUTSEG1\n");
    await expect(importArchiveInto({ archive }, join(folder, "new.sqlite"))).rejects.toThrow(file ?? "no file");
  });
});
