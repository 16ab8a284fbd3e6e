import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUp, storeChecked } from "../../../src/adapters/sqlite/backup.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { damagedDatabase } from "./damaged-database.ts";
import { ScratchDatabases } from "./scratch-databases.ts";
import { itemAt } from "./numbered-item.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

describe("a backup", () => {
  it("is a consistent snapshot of a database in use", async () => {
    const database = scratch.open(scratch.newPath());
    const log = createSqliteLog(database);
    for (let number = 0; number < 300; number += 1) await log.append(itemAt(number));
    const target = scratch.newPath();
    const backup = backUp(database, target);
    await log.append(itemAt(999));
    await backup;
    const copy = createSqliteLog(scratch.open(target));
    const { items } = await copy.readDay({ cluster: clusterNamed("east"), day: "20261121" }, { limit: 1000 });
    expect(items.length).toBeGreaterThanOrEqual(300);
  });

  it("ends although the database is written all the time", async () => {
    const database = scratch.open(scratch.newPath());
    const log = createSqliteLog(database);
    for (let number = 0; number < 500; number += 1) await log.append(itemAt(number));
    let written = 0;
    const target = scratch.newPath();
    const writing = setInterval(() => void log.append(itemAt(1000 + (written += 1))), 0);
    try {
      await backUp(database, target);
    } finally {
      clearInterval(writing);
    }
    const copy = createSqliteLog(scratch.open(target));
    const { items } = await copy.readDay({ cluster: clusterNamed("east"), day: "20261121" }, { limit: 1000 });
    expect(written).toBeGreaterThan(0);
    expect(items).toHaveLength(500);
  });

  it("is readable by its owner only, like all files of the database", async () => {
    const path = scratch.newPath();
    const database = scratch.open(path);
    await createSqliteLog(database).append(itemAt(1));
    const target = scratch.newPath();
    await backUp(database, target);
    const modes = [path, `${path}-wal`, `${path}-shm`, target].map((file) => statSync(file).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
  });

  it("consists of one file", async () => {
    const database = scratch.open(scratch.newPath());
    await createSqliteLog(database).append(itemAt(1));
    const target = scratch.newPath();
    await backUp(database, target);
    expect([target, `${target}-wal`, `${target}-shm`].filter((file) => existsSync(file))).toEqual([target]);
  });

  it("of a damaged database fails, names the database, and leaves no file", async () => {
    const { path, database } = await damagedDatabase(scratch);
    const target = scratch.newPath();
    await expect(backUp(database, target)).rejects.toMatchObject({
      name: "DatabaseDamagedError",
      message: expect.stringContaining(path) as string,
    });
    expect(existsSync(target)).toBe(false);
  });

  it("does not overwrite a file", async () => {
    const database = scratch.open(scratch.newPath());
    const target = scratch.fileOf("Precious.");
    await expect(backUp(database, target)).rejects.toMatchObject({ name: "BackupExistsError" });
    expect(readFileSync(target, "utf8")).toBe("Precious.");
  });

  it("is written by one of two processes that write the same one, and the other fails", async () => {
    const database = scratch.open(scratch.newPath());
    await createSqliteLog(database).append(itemAt(1));
    const target = scratch.newPath();
    const results = await Promise.allSettled([backUp(database, target), backUp(database, target)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { name: "BackupExistsError" },
    });
    expect(readdirSync(scratch.folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
    const copy = createSqliteLog(scratch.open(target));
    const { items } = await copy.readDay({ cluster: clusterNamed("east"), day: "20261121" }, { limit: 10 });
    expect(items).toHaveLength(1);
  });

  it("leaves no file if it cannot be completed", async () => {
    const target = scratch.newPath();
    const stored = storeChecked(target, async (partial) => {
      writeFileSync(partial, "half a copy");
      throw new Error("The connection was lost.");
    });
    await expect(stored).rejects.toThrow("The connection was lost.");
    expect(readdirSync(scratch.folder)).toEqual([]);
  });

  it("fails with the reason if its file cannot be written", async () => {
    const database = scratch.open(scratch.newPath());
    await expect(backUp(database, join(scratch.folder, "nowhere", "x.db"))).rejects.toMatchObject({
      name: "DatabaseUnwritableError",
    });
  });
});
