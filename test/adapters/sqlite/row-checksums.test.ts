import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findDamagedRows } from "../../../src/adapters/sqlite/integrity.ts";
import { MIGRATIONS } from "../../../src/adapters/sqlite/migrations.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { itemAt } from "./numbered-item.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

/** Changes the file as another program does. */
function change(path: string, sql: string): void {
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
}

describe("the checksum of a row", () => {
  it("is right after every write and every update", async () => {
    const database = scratch.open(scratch.newPath());
    const meta = createSqliteMetaStore(database);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 20 }), async (records) => {
        for (const [key, value] of records) {
          const expected = (await meta.read("gap", key))?.version ?? 0;
          await meta.write("gap", key, { value, expected });
        }
        expect(await findDamagedRows(database)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["value", "UPDATE meta SET value = 'other'", { table: "meta", key: ["gap", "one"] }],
    ["version", "UPDATE meta SET version = version + 1", { table: "meta", key: ["gap", "one"] }],
    ["key", "UPDATE meta SET key = 'two'", { table: "meta", key: ["gap", "two"] }],
    ["bytes", "UPDATE log SET bytes = zeroblob(length(bytes))", { table: "log" }],
  ])("is wrong after another program has changed its %s", async (_, sql, expected) => {
    const path = scratch.newPath();
    const database = scratch.open(path);
    await createSqliteMetaStore(database).write("gap", "one", { value: "{}", expected: 0 });
    await createSqliteLog(database).append(itemAt(1));
    expect(await findDamagedRows(database)).toEqual([]);
    change(path, sql);
    expect(await findDamagedRows(database)).toMatchObject([expected]);
  });

  it("is set when the schema of an earlier release is migrated", async () => {
    const path = scratch.newPath();
    const before = MIGRATIONS.slice(0, 5).join(";");
    change(path, `${before}; PRAGMA application_id = 0x4f55544c; PRAGMA user_version = 5`);
    change(path, "INSERT INTO meta (kind, key, version, value) VALUES ('gap', 'one', 1, '{}')");
    const database = scratch.open(path);
    expect(await findDamagedRows(database)).toEqual([]);
    change(path, "UPDATE meta SET value = '[]'");
    expect(await findDamagedRows(database)).toMatchObject([{ table: "meta" }]);
  });
});
