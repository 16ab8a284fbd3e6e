import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPositionFile } from "../../../src/adapters/spool/position-file.ts";
import { SpoolBrokenError } from "../../../src/adapters/spool/spool-record.ts";
import { failOnce, openFiles, recordFileEvents } from "../../support/files/file-events.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-position-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe("a position file", () => {
  it("has no position before the first write", async () => {
    expect(await createPositionFile(folder).read()).toBeUndefined();
  });

  it("contains the last position, and no temporary file remains", async () => {
    const positions = createPositionFile(folder);
    await positions.write("first");
    await positions.write("second");
    expect(await createPositionFile(folder).read()).toBe("second");
    expect(readdirSync(folder)).toEqual(["position.json"]);
  });

  it("is created in a new folder, readable only by its owner", async () => {
    const below = join(folder, "new");
    await createPositionFile(below).write("first");
    expect(statSync(join(below, "position.json")).mode & 0o777).toBe(0o600);
    expect(statSync(below).mode & 0o777).toBe(0o700);
  });

  it("is flushed and closed before it replaces the last one", async () => {
    const events = await recordFileEvents(["writeFile", "datasync"]);
    const before = openFiles();
    await createPositionFile(folder).write("first");
    expect(events).toEqual(["writeFile begins", "writeFile ends", "datasync begins", "datasync ends"]);
    expect(openFiles()).toBe(before);
  });

  it("keeps the last position where the next one cannot be flushed", async () => {
    const positions = createPositionFile(folder);
    await positions.write("first");
    await failOnce("datasync", new Error("broken disk"));
    await expect(positions.write("second")).rejects.toThrow(SpoolBrokenError);
    expect(await positions.read()).toBe("first");
  });

  it("reports a file that cannot be replaced", async () => {
    mkdirSync(join(folder, "position.json"));
    await expect(createPositionFile(folder).write("first")).rejects.toThrow(SpoolBrokenError);
  });

  it("reports an unusable folder", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(createPositionFile(file).read()).rejects.toThrow(SpoolBrokenError);
    await expect(createPositionFile(file).write("first")).rejects.toThrow(SpoolBrokenError);
  });
});
