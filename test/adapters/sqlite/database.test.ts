import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unpackSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { inspectDatabase, openReadOnly } from "../../../src/adapters/sqlite/database.ts";
import { MIGRATIONS } from "../../../src/adapters/sqlite/migrations.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { createSqliteProjections } from "../../../src/adapters/sqlite/sqlite-projections.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { skipForRoot } from "../../support/running/skip-without.ts";
import { damagedDatabase } from "./damaged-database.ts";
import { ScratchDatabases } from "./scratch-databases.ts";
import { itemAt } from "./numbered-item.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

/** What opening `path` throws. */
function openingError(path: string, options: Parameters<ScratchDatabases["open"]>[1] = {}): Error {
  try {
    scratch.open(path, options);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error(`${path} was opened.`);
}

/** A file that SQLite alone has made, by `sql`. */
function fileMadeBy(sql: string): string {
  const path = scratch.newPath();
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
  return path;
}

function rowOfSchema1(id: string, phase: string, summary: string): string {
  return `INSERT INTO jobs_a
    VALUES ('east', '${id}', 3, 'batch', 'nightly', 1000, '${phase}', 1, '${summary}', x'0107')`;
}

describe("a database", () => {
  it("has its data after it was reopened", async () => {
    const path = scratch.newPath();
    const first = scratch.open(path);
    await createSqliteMetaStore(first).write("live", "jobs", { value: "B", expected: 0 });
    await createSqliteMetaStore(scratch.open(path)).write("live", "jobs", { value: "A", expected: 1 });
    expect(await createSqliteMetaStore(first).read("live", "jobs")).toEqual({ key: "jobs", value: "A", version: 2 });
  });

  it("has the sizes of its files, and none in memory", async () => {
    const database = scratch.open(scratch.newPath());
    await createSqliteMetaStore(database).write("live", "jobs", { value: "B", expected: 0 });
    const [main, wal, ...others] = database.files;
    expect([main?.file, wal?.file, others]).toEqual(["database", "wal", []]);
    expect(main?.bytes).toBeGreaterThan(0);
    expect(wal?.bytes).toBeGreaterThan(0);
    expect(scratch.open(":memory:").files).toEqual([]);
  });

  it("flushes every commit to disk", async () => {
    const database = scratch.open(scratch.newPath());
    const read = (pragma: string) =>
      database.write((connection) => Object.values(connection.get(`PRAGMA ${pragma}`) ?? {}));
    expect(await read("journal_mode")).toEqual(["wal"]);
    expect(await read("synchronous")).toEqual([2]);
    expect(await read("foreign_keys")).toEqual([1]);
  });

  it("is migrated from each older schema", () => {
    const path = fileMadeBy(
      `PRAGMA application_id = 0x4f55544c; ${MIGRATIONS.slice(0, 1).join(";")}; PRAGMA user_version = 1`,
    );
    scratch.open(path);
    const raw = new DatabaseSync(path);
    expect(raw.prepare("PRAGMA user_version").get()).toEqual({ user_version: MIGRATIONS.length });
    raw.close();
  });

  it("keeps, lists and expires Jobs of schema 1", async () => {
    const summary = { finishedAt: "1970-01-02T00:00:00Z", verdict: "Übergröße", findings: [], asOf: "x" };
    const finished = rowOfSchema1("done", "F", JSON.stringify(summary));
    const path = fileMadeBy(
      `PRAGMA application_id = 0x4f55544c; ${MIGRATIONS[0]}; ${finished}; ${rowOfSchema1("live", "A", "{}")};
      PRAGMA user_version = 1`,
    );
    const database = scratch.open(path);
    const store = createSqliteProjections(database).open("A");
    const { rows } = await store.listAttention({ cluster: clusterNamed("east") }, { limit: 9 });
    expect(rows.map(({ jobUid: uid, phase, endedAt }) => ({ uid, phase, endedAt }))).toEqual([
      { uid: "done", phase: "F", endedAt: 86_400_000 },
      { uid: "live", phase: "A", endedAt: undefined },
    ]);
    expect(unpackSummary(rows[0]?.summary ?? new Uint8Array())).toMatchObject(summary);
    expect(await store.read({ cluster: clusterNamed("east"), jobUid: jobUid("done") })).toMatchObject({ version: 3 });
  });

  it.each<[string, () => string, string, RegExp]>([
    [
      "was written by a later release",
      () => fileMadeBy("PRAGMA application_id = 0x4f55544c; PRAGMA user_version = 99"),
      "DatabaseNewerError",
      /schema 99.*Update Outlive/,
    ],
    [
      "was written by another program",
      () => fileMadeBy("CREATE TABLE recipes (name TEXT)"),
      "ForeignDatabaseError",
      /not one of Outlive's/,
    ],
    [
      "has another program's application id",
      () => fileMadeBy("PRAGMA application_id = 7"),
      "ForeignDatabaseError",
      /Name another file/,
    ],
    [
      "is not a database",
      () => scratch.fileOf("These are notes, and no database at all. ".repeat(50)),
      "NotADatabaseError",
      /not an SQLite database/,
    ],
    ["is a folder", () => withFolder(scratch.newPath()), "DatabaseIsFolderError", /Name a file in it/],
    [
      "is in a missing folder",
      () => join(scratch.folder, "nowhere", "x.db"),
      "DatabaseUnwritableError",
      /Check that its folder exists/,
    ],
  ])("cannot be opened if its file %s", (_, make, name, sentence) => {
    const error = openingError(make());
    expect(error.name).toBe(name);
    expect(error.message).toMatch(sentence);
  });

  it("that a later release has migrated is refused, and stays as it is", () => {
    const path = scratch.newPath();
    scratch.open(path);
    scratch.closeAll();
    const other = new DatabaseSync(path);
    other.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}; PRAGMA wal_checkpoint(TRUNCATE)`);
    other.close();
    const before = readFileSync(path);
    expect(openingError(path).name).toBe("DatabaseNewerError");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("cannot be opened if it is damaged", async () => {
    const path = scratch.newPath();
    const database = scratch.open(path);
    for (let number = 0; number < 50; number += 1) await createSqliteLog(database).append(itemAt(number));
    scratch.closeAll();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100, 4096);
    writeFileSync(path, bytes);
    expect(openingError(path)).toMatchObject({
      name: "DatabaseDamagedError",
      message: expect.stringMatching(/backup/) as string,
    });
  });

  it("throws an error if a read page is damaged", async () => {
    const { database } = await damagedDatabase(scratch);
    const log = createSqliteLog(database);
    await expect(log.readDay({ cluster: clusterNamed("east"), day: "20261121" }, { limit: 100 })).rejects.toMatchObject(
      {
        name: "DatabaseDamagedError",
      },
    );
  });

  it.skipIf(skipForRoot())("can be read without write permission", async () => {
    const path = scratch.newPath();
    await createSqliteLog(scratch.open(path)).append(itemAt(1));
    scratch.closeAll();
    chmodSync(path, 0o444);
    chmodSync(scratch.folder, 0o555);
    const item = createSqliteLog(scratch.open(path)).read(itemAt(1).key);
    chmodSync(scratch.folder, 0o755);
    expect(await item).toBeDefined();
  });

  it("that may only be read gets no files beside it, and refuses writes", async () => {
    const path = scratch.newPath();
    await createSqliteLog(scratch.open(path)).append(itemAt(1));
    scratch.closeAll();
    const database = openReadOnly(path);
    const log = createSqliteLog(database);
    expect(await log.read(itemAt(1).key)).toBeDefined();
    await expect(log.append(itemAt(2))).rejects.toMatchObject({ name: "DatabaseUnwritableError" });
    expect(readdirSync(scratch.folder)).toEqual([basename(path)]);
    database.close();
  });

  it("that may only be read shows what another process has written and not checkpointed", async () => {
    const path = scratch.newPath();
    await createSqliteLog(scratch.open(path)).append(itemAt(1));
    const database = openReadOnly(path);
    expect(await createSqliteLog(database).read(itemAt(1).key)).toBeDefined();
    database.close();
  });

  it("of an earlier schema is inspected without a migration, and without files beside it", async () => {
    const path = fileMadeBy(`PRAGMA application_id = 0x4f55544c; ${MIGRATIONS[0]}; PRAGMA user_version = 1`);
    const schemas = await inspectDatabase(path, (_, schema) => schema);
    expect([schemas, await inspectDatabase(path, (_, schema) => schema)]).toEqual([1, 1]);
    expect(readdirSync(scratch.folder)).toEqual([basename(path)]);
  });

  it("of a folder or of another program is not inspected", async () => {
    await expect(inspectDatabase(scratch.folder, () => 0)).rejects.toMatchObject({ name: "DatabaseIsFolderError" });
    const foreign = inspectDatabase(fileMadeBy("CREATE TABLE recipes (name TEXT)"), () => 0);
    await expect(foreign).rejects.toMatchObject({ name: "ForeignDatabaseError" });
  });

  it("that may only be read is not migrated", () => {
    expect(() => openReadOnly(fileMadeBy("PRAGMA user_version = 0"))).toThrow("has schema 0 and may only be read");
  });

  it("throws an error if the disk is full, and writes nothing", async () => {
    const database = scratch.open(scratch.newPath());
    const log = createSqliteLog(database);
    await database.write((connection) => connection.get("PRAGMA max_page_count = 60"));
    const all = database.inTransaction(async () => {
      for (let number = 0; number < 200; number += 1) await log.append(itemAt(number));
    });
    await expect(all).rejects.toMatchObject({
      name: "DatabaseFullError",
      message: expect.stringMatching(/Free some space/) as string,
    });
    expect(await log.read(itemAt(0).key)).toBeUndefined();
    expect((await log.append(itemAt(0))).outcome).toBe("appended");
  });

  it("writes nothing more in a transaction after the disk was full", async () => {
    const database = scratch.open(scratch.newPath());
    const log = createSqliteLog(database);
    await database.write((connection) => connection.get("PRAGMA max_page_count = 60"));
    const all = database.inTransaction(async () => {
      let number = 0;
      const fills = async () => {
        for (; ; number += 1) await log.append(itemAt(number));
      };
      await expect(fills()).rejects.toMatchObject({ name: "DatabaseFullError" });
      await expect(log.append(itemAt(number + 1))).rejects.toMatchObject({ name: "DatabaseFullError" });
    });
    await expect(all).rejects.toMatchObject({ name: "DatabaseFullError" });
    expect(await database.read((connection) => connection.all("SELECT 1 FROM log"))).toEqual([]);
  });

  it("can be opened and read while another process writes", async () => {
    const path = scratch.newPath();
    await createSqliteLog(scratch.open(path)).append(itemAt(1));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const log = createSqliteLog(scratch.open(path, { busyMillis: 0 }));
    expect(await log.read(itemAt(1).key)).toBeDefined();
    other.close();
  });

  it("throws an error if another process keeps it locked", async () => {
    const path = scratch.newPath();
    const database = scratch.open(path, { busyMillis: 20 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(createSqliteLog(database).append(itemAt(1))).rejects.toMatchObject({
      name: "DatabaseLockedError",
      message: expect.stringMatching(/locked by another process/) as string,
      cause: expect.objectContaining({ errcode: 5 }) as unknown,
    });
    expect(await createSqliteLog(database).read(itemAt(1).key)).toBeUndefined();
    other.exec("COMMIT");
    other.close();
    expect((await createSqliteLog(database).append(itemAt(1))).outcome).toBe("appended");
  });

  it("loses nothing if two processes write concurrently", async () => {
    const path = scratch.newPath();
    const writers = ["0", "1"].map((first) =>
      fork(join(import.meta.dirname, "append-in-process.ts"), [path, first], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      }),
    );
    const ends = await Promise.all(writers.map((writer) => once(writer, "exit")));
    expect(ends.map(([code]) => code as unknown)).toEqual([0, 0]);
    const { items } = await createSqliteLog(scratch.open(path)).readDay(
      { cluster: clusterNamed("east"), day: "20261121" },
      { limit: 1000 },
    );
    expect(items.length).toBe(200);
  });
});

function withFolder(path: string): string {
  mkdirSync(path);
  return path;
}
