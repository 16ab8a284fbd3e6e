import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";
import { itemAt } from "./numbered-item.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

describe.each([
  ["in a file", () => scratch.newPath()],
  ["in memory", () => ":memory:"],
])("a transaction %s", (_, pathOf) => {
  it("commits all writes", async () => {
    const database = scratch.open(pathOf());
    const log = createSqliteLog(database);
    const outcome = await database.inTransaction(async () => {
      await log.append(itemAt(1));
      return log.append(itemAt(1));
    });
    expect(outcome).toEqual({ outcome: "duplicate" });
    expect(await log.read(itemAt(1).key)).toBeDefined();
  });

  it("commits nothing if it throws", async () => {
    const database = scratch.open(pathOf());
    const log = createSqliteLog(database);
    const failing = database.inTransaction(async () => {
      await log.append(itemAt(1));
      throw new Error("The rest of the recording cannot be read.");
    });
    await expect(failing).rejects.toThrow("The rest of the recording cannot be read.");
    expect(await log.read(itemAt(1).key)).toBeUndefined();
  });

  it("is isolated from concurrent writes", async () => {
    const database = scratch.open(pathOf());
    const log = createSqliteLog(database);
    const order: string[] = [];
    const failing = database
      .inTransaction(async () => {
        await log.append(itemAt(1));
        await Promise.resolve();
        order.push("inside");
        throw new Error("undone");
      })
      .catch(() => order.push("undone"));
    const other = log.append(itemAt(2)).then(() => order.push("other"));
    await Promise.all([failing, other]);
    expect(order[0]).toBe("inside");
    expect(await log.read(itemAt(1).key)).toBeUndefined();
    expect(await log.read(itemAt(2).key)).toBeDefined();
  });

  it("is invisible to others until its end", async () => {
    const database = scratch.open(pathOf());
    const log = createSqliteLog(database);
    const writing = database.inTransaction(async () => {
      await log.append(itemAt(1));
      expect(await log.read(itemAt(1).key)).toBeDefined();
      await Promise.resolve();
      await log.append(itemAt(2));
    });
    const seen = await log.readDay({ cluster: clusterNamed("east"), day: "20261121" }, { limit: 9 });
    expect([0, 2]).toContain(seen.items.length);
    await writing;
  });

  it("joins an enclosing transaction", async () => {
    const database = scratch.open(pathOf());
    const log = createSqliteLog(database);
    const outer = database.inTransaction(async () => {
      await database.inTransaction(() => log.append(itemAt(1)));
      throw new Error("undone");
    });
    await expect(outer).rejects.toThrow("undone");
    expect(await log.read(itemAt(1).key)).toBeUndefined();
  });

  it("waits for the previous one", async () => {
    const database = scratch.open(pathOf());
    const meta = createSqliteMetaStore(database);
    const raise = () =>
      database.inTransaction(async () => {
        const stored = await meta.read("position", "east");
        return meta.write("position", "east", { value: "{}", expected: stored?.version ?? 0 });
      });
    const outcomes = await Promise.all([raise(), raise(), raise()]);
    expect(outcomes).toEqual([1, 2, 3].map((version) => ({ outcome: "written", version })));
  });
});
