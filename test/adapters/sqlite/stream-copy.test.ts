import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { streamCopy } from "../../../src/adapters/sqlite/stream-copy.ts";
import { SmallDisk } from "../../../bench/chaos/small-disk.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { skipWithout } from "../../support/running/skip-without.ts";
import { itemAt } from "./numbered-item.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

async function databaseOf(items: number, path = scratch.newPath()) {
  const database = scratch.open(path);
  const log = createSqliteLog(database);
  for (let number = 0; number < items; number += 1) await log.append(itemAt(number));
  return database;
}

const filesIn = (folder: string) => readdirSync(folder).sort();

describe("a copy as a stream", () => {
  it("is a complete database, of the size that it states", async () => {
    const copy = await streamCopy(await databaseOf(300));
    if (copy.outcome !== "copied") return expect.unreachable(copy.outcome);
    const bytes = await buffer(copy.stream);
    expect(bytes).toHaveLength(copy.bytes);
    const path = scratch.newPath();
    writeFileSync(path, bytes);
    const log = createSqliteLog(scratch.open(path));
    const { items } = await log.readDay({ cluster: clusterNamed("east"), day: "20261121" }, { limit: 1000 });
    expect(items).toHaveLength(300);
  });

  it("leaves no file beside the database, also while it is read, and removes that of an interrupted one", async () => {
    const database = await databaseOf(10);
    const before = filesIn(scratch.folder);
    writeFileSync(`${database.path}.copy`, "half a copy");
    const copy = await streamCopy(database);
    if (copy.outcome !== "copied") return expect.unreachable(copy.outcome);
    expect(filesIn(scratch.folder)).toEqual(before);
    await copy.stream.cancel();
  });
});

const isRoot = process.getuid?.() === 0 && process.platform === "linux";
const skip = skipWithout(isRoot, {
  dependency: "root on Linux",
  untested: "a full disk (a tmpfs of some megabytes is mounted)",
  reason: "the tests run as another user",
});

describe.skipIf(skip)("a copy on a disk without room for it", () => {
  it("is not begun, and the answer says how much is missing", async () => {
    const disk = new SmallDisk(join(scratch.folder, basename(scratch.newPath())), 5);
    try {
      const database = await databaseOf(300, join(disk.path, "o.db"));
      const copy = await streamCopy(database);
      expect(copy).toMatchObject({ outcome: "noSpace" });
      if (copy.outcome === "noSpace") expect(copy.neededBytes).toBeGreaterThan(copy.freeBytes);
      expect(filesIn(disk.path)).toEqual(["o.db", "o.db-shm", "o.db-wal"]);
      scratch.closeAll();
    } finally {
      disk.unmount();
      rmSync(disk.path, { recursive: true, force: true });
    }
  });
});
