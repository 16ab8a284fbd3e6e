import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noticeRecord, type WaitingDelivery } from "../../../src/ports/records/notices/notice-record.ts";
import type { Database } from "../../../src/adapters/sqlite/database.ts";
import { findDamagedRows } from "../../../src/adapters/sqlite/integrity.ts";
import { createSqliteDueSubjects } from "../../../src/adapters/sqlite/sqlite-due-subjects.ts";
import { createSqliteEraser } from "../../../src/adapters/sqlite/sqlite-eraser.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases;
let database: Database;
beforeEach(() => {
  scratch = new ScratchDatabases();
  database = scratch.open(scratch.newPath());
});
afterEach(() => scratch.clear());

function waiting(key: string, said: Partial<WaitingDelivery> = {}): WaitingDelivery {
  return { key, receiver: "hook", nextAt: 0, group: "g", value: "{}", attempts: 0, ...said };
}

async function write(subject: string, messages: readonly WaitingDelivery[], expected = 0): Promise<void> {
  const value = noticeRecord.encode({ waiting: messages, dead: [], tallies: {} });
  await createSqliteMetaStore(database).write("notice", subject, { value, expected });
}

async function due(now: number, receiver = "hook", limit = 10): Promise<readonly string[]> {
  return createSqliteDueSubjects(database).due(receiver, { now, limit });
}

describe("the subjects with messages that are due", () => {
  it("are those of the receiver, the earliest first, and as many as asked for", async () => {
    await write("b", [waiting("b1", { nextAt: 2 })]);
    await write("a", [waiting("a1", { nextAt: 3 }), waiting("a2", { receiver: "other" })]);
    await write("c", [waiting("c1", { nextAt: 1 })]);
    expect(await due(2)).toEqual(["c", "b"]);
    expect(await due(3)).toEqual(["c", "b", "a"]);
    expect(await due(3, "hook", 1)).toEqual(["c"]);
    expect(await due(3, "other")).toEqual(["a"]);
  });

  it("wait for their oldest message, and while a process sends it", async () => {
    await write("a", [waiting("a1", { nextAt: 100 }), waiting("a2")]);
    expect(await due(99)).toEqual([]);
    await write("a", [waiting("a1", { claimedUntil: 200 }), waiting("a2")], 1);
    expect(await due(199)).toEqual([]);
    expect(await due(200)).toEqual(["a"]);
    await write("a", [waiting("a2")], 2);
    expect(await due(0)).toEqual(["a"]);
    await write("a", [], 3);
    expect(await due(9_999)).toEqual([]);
  });

  it("are counted with those that are due later, up to the given number", async () => {
    await write("a", [waiting("a1", { nextAt: 9_000 })]);
    await write("b", [waiting("b1"), waiting("b2")]);
    await write("c", [waiting("c1", { receiver: "other" })]);
    const subjects = createSqliteDueSubjects(database);
    expect(await subjects.waiting("hook", 10)).toBe(2);
    expect(await subjects.waiting("hook", 1)).toBe(1);
    expect(await subjects.waiting("none", 10)).toBe(0);
  });

  it("do not wait for a clock that was set back", async () => {
    await write("a", [waiting("a1", { nextAt: 100_000, notedAt: 90_000 })]);
    expect(await due(30_000)).toEqual([]);
    expect(await due(29_999)).toEqual(["a"]);
  });

  it("are gone with their record, and with a transaction that fails", async () => {
    await write("a", [waiting("a1")]);
    await createSqliteEraser(database).removeRecord("notice", "a");
    expect(await due(0)).toEqual([]);
    const failing = database.inTransaction(async () => {
      await write("b", [waiting("b1")]);
      expect(await due(0)).toEqual(["b"]);
      throw new Error("the Job was not written");
    });
    await expect(failing).rejects.toThrow("the Job was not written");
    expect(await due(0)).toEqual([]);
  });

  it("are in rows with checksums", async () => {
    await write("a", [waiting("a1")]);
    expect(await findDamagedRows(database)).toEqual([]);
    await database.write((connection) => connection.run("UPDATE meta SET value = value"));
    await database.write((connection) => connection.exec("DROP TRIGGER temp.checksum_updated_due_notices"));
    await database.write((connection) => connection.run("UPDATE due_notices SET receiver = 'other'"));
    expect(await findDamagedRows(database)).toMatchObject([{ table: "due_notices" }]);
  });
});
