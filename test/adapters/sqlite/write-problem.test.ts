import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../../src/adapters/sqlite/database.ts";
import { createWriteProbe } from "../../../src/adapters/sqlite/write-problem.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases;
let database: Database;
let clock: { now: number };
let probe: () => Promise<string | undefined>;
beforeEach(() => {
  scratch = new ScratchDatabases();
  database = scratch.open(scratch.newPath());
  clock = { now: 0 };
  probe = createWriteProbe(database, () => clock.now);
});
afterEach(() => scratch.clear());

const walBytes = (): number => statSync(`${database.path}-wal`).size;

const schemaVersion = () => database.read((connection) => connection.get("PRAGMA user_version"));

describe("the probe of a database", () => {
  it("finds no problem where it can write, and changes nothing", async () => {
    const before = await schemaVersion();
    expect(await probe()).toBeUndefined();
    expect(await schemaVersion()).toEqual(before);
  });

  it("writes once in five seconds, however often it is asked", async () => {
    await probe();
    const once = walBytes();
    clock.now = 4_999;
    await Promise.all([probe(), probe(), probe()]);
    expect(walBytes()).toBe(once);
    clock.now = 5_000;
    await probe();
    expect(walBytes()).toBeGreaterThan(once);
  });

  it("says that another process keeps the database locked, until it does not", async () => {
    const other = new DatabaseSync(database.path);
    other.exec("BEGIN IMMEDIATE");
    expect(await probe()).toBe("Another process keeps the database locked.");
    other.exec("COMMIT");
    other.close();
    clock.now = 5_000;
    expect(await probe()).toBeUndefined();
  });

  it("says that the database may only be read", async () => {
    await database.write((connection) => connection.exec("PRAGMA query_only = ON"));
    expect(await probe()).toBe("The database is read-only. Make its file and folder writable.");
  });

  it("waits for a transaction of this process, and leaves the patience of other writes as it was", async () => {
    const patience = () => database.write((connection) => connection.get("PRAGMA busy_timeout"));
    const before = await patience();
    const { promise, resolve } = Promise.withResolvers<void>();
    const transaction = database.inTransaction(() => promise);
    const found = probe();
    resolve();
    await transaction;
    expect(await found).toBeUndefined();
    expect(await patience()).toEqual(before);
  });
});
