import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findDamage } from "../../../src/adapters/sqlite/integrity.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { itemAt } from "./numbered-item.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

async function filled(path: string): Promise<void> {
  const database = scratch.open(path);
  await createSqliteLog(database).append(itemAt(1));
  for (let key = 0; key < 50; key += 1) {
    await createSqliteMetaStore(database).write("gap", `key-${key}`, { value: "{}", expected: 0 });
  }
}

describe("the integrity of a database", () => {
  it("has no problems after writes", async () => {
    const path = scratch.newPath();
    await filled(path);
    expect(await findDamage(scratch.open(path))).toEqual([]);
  });

  it("has a problem if an index lacks a row", async () => {
    const path = scratch.newPath();
    await filled(path);
    const raw = new DatabaseSync(path, { defensive: false });
    // Makes SQLite write to the table without its index.
    raw.exec("PRAGMA writable_schema = ON");
    raw.exec("UPDATE sqlite_schema SET type = 'view', tbl_name = 'x', rootpage = 0 WHERE 0");
    raw.exec("CREATE TABLE probe (a TEXT, b INTEGER); CREATE INDEX probe_a ON probe (a)");
    raw.exec("INSERT INTO probe VALUES ('one', 1)");
    const root = raw.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'probe_a'").get()?.["rootpage"];
    raw.exec("DELETE FROM sqlite_schema WHERE name = 'probe_a'");
    raw.close();
    const unindexed = new DatabaseSync(path, { defensive: false });
    unindexed.exec("INSERT INTO probe VALUES ('two', 2)");
    unindexed.exec("PRAGMA writable_schema = ON");
    unindexed
      .prepare("INSERT INTO sqlite_schema VALUES ('index', 'probe_a', 'probe', ?, 'CREATE INDEX probe_a ON probe (a)')")
      .run(Number(root));
    unindexed.close();
    const problems = await findDamage(scratch.open(path));
    expect(problems.join("\n")).toContain("probe_a");
  });

  it("has a problem if a definition is damaged, because later writes may fail", async () => {
    const path = scratch.newPath();
    await filled(path);
    const raw = new DatabaseSync(path, { defensive: false });
    raw.exec("PRAGMA writable_schema = ON");
    raw.exec("UPDATE sqlite_schema SET sql = replace(sql, 'OLD.key', 'OLD.kex') WHERE name = 'notice_removed'");
    raw.close();
    expect(await findDamage(scratch.open(path))).toEqual([
      "The definition of trigger notice_removed is missing or damaged.",
    ]);
  });

  it("has no problems if an earlier commit broke the lines of a definition elsewhere", async () => {
    const path = scratch.newPath();
    await filled(path);
    const raw = new DatabaseSync(path, { defensive: false });
    raw.exec("PRAGMA writable_schema = ON");
    const broken =
      "UPDATE sqlite_schema SET sql = replace(sql, char(10) || '    WHERE', ' WHERE') WHERE type = 'index'";
    expect(raw.prepare(broken).run().changes).toBeGreaterThan(0);
    raw.close();
    expect(await findDamage(scratch.open(path))).toEqual([]);
  });

  it("has no problems after a vacuum, or with an additional index", async () => {
    const path = scratch.newPath();
    await filled(path);
    const raw = new DatabaseSync(path);
    raw.exec("VACUUM; CREATE INDEX own ON meta (version); ANALYZE");
    raw.close();
    expect(await findDamage(scratch.open(path))).toEqual([]);
  });
});
