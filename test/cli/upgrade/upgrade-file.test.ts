import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { upgradeFile } from "../../../cli/upgrade/upgrade-file.ts";
import { NEWEST_DATABASE_SCHEMA } from "../../../src/adapters/sqlite/database.ts";
import { FORMAT_STEPS, type FormatStep } from "../../formats/format-steps.ts";
import { FixtureDatabases } from "../../formats/read-fixtures.ts";

const databases = new FixtureDatabases();
afterAll(() => databases.clear());

const older = FORMAT_STEPS.filter(({ database }) => database < NEWEST_DATABASE_SCHEMA);
const [first] = older;

function oldFile(): string {
  if (first === undefined) throw new Error("There are no steps.");
  return databases.copyOf(first);
}

/** The schema of a file, and all rows of its log and its projection. */
function contentOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const read = (sql: string) => database.prepare(sql).all();
  const content = [read("PRAGMA user_version"), read("SELECT * FROM log"), read("SELECT * FROM jobs_a")];
  database.close();
  return content;
}

describe("an upgrade of a database file", () => {
  it.each(older)("of step $name migrates it, after a copy that has all of it", async (step: FormatStep) => {
    const file = databases.copyOf(step);
    const before = contentOf(file);
    const copy = `${file}.schema-${step.database}`;
    expect(await upgradeFile(file)).toEqual({ outcome: "migrated", from: step.database, copy });
    expect(contentOf(copy)).toEqual(before);
    expect(contentOf(file)[0]).toEqual([{ user_version: NEWEST_DATABASE_SCHEMA }]);
  });

  it("changes nothing if it was upgraded before", async () => {
    const file = oldFile();
    await upgradeFile(file);
    const before = readFileSync(file);
    expect(await upgradeFile(file)).toEqual({ outcome: "current" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("copies to another name on request, and never over a file", async () => {
    const [file, copy] = [oldFile(), join(databases.folder, "copy.sqlite")];
    expect(await upgradeFile(file, copy)).toMatchObject({ copy });
    const other = oldFile();
    const before = readFileSync(other);
    await expect(upgradeFile(other, copy)).rejects.toThrow(`Cannot back up to ${copy}: the file exists`);
    expect(readFileSync(other).equals(before)).toBe(true);
  });

  it("says what to do with the copy of an upgrade that failed, and works without it", async () => {
    const file = oldFile();
    const copy = `${file}.schema-${first?.database}`;
    writeFileSync(copy, "a copy");
    const before = readFileSync(file);
    await expect(upgradeFile(file)).rejects.toThrow(
      `${copy} exists, probably of an upgrade that failed. ${file} still has schema ${first?.database}: nothing ` +
        "was changed. Delete the copy and repeat the command, or keep it and name another one with --backup.",
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readFileSync(copy, "utf8")).toBe("a copy");
    rmSync(copy);
    expect(await upgradeFile(file)).toMatchObject({ outcome: "migrated", copy });
  });

  it("is refused while a process has the file open", async () => {
    const file = oldFile();
    const open = new DatabaseSync(file);
    open.exec("PRAGMA journal_mode = WAL; PRAGMA user_version");
    try {
      await expect(upgradeFile(file)).rejects.toThrow(`A process has ${file} open`);
      expect(contentOf(file)[0]).toEqual([{ user_version: first?.database }]);
      expect(existsSync(`${file}.schema-${first?.database}`)).toBe(false);
    } finally {
      open.close();
    }
    expect(await upgradeFile(file)).toMatchObject({ outcome: "migrated" });
  });

  it("names the problem of a file that states a wrong schema, and leaves it as it is", async () => {
    const file = oldFile();
    await upgradeFile(file);
    const wrong = new DatabaseSync(file);
    wrong.exec("PRAGMA user_version = 8");
    wrong.close();
    const before = contentOf(file);
    await expect(upgradeFile(file)).rejects.toMatchObject({
      name: "DatabaseSchemaError",
      message: expect.stringContaining(
        `${file}: it states schema 8, but its tables are of another schema (table runs_a already exists)`,
      ) as string,
    });
    expect(contentOf(file)).toEqual(before);
  });

  it("leaves a damaged file as it is", async () => {
    const file = oldFile();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 3 * 4096, 6 * 4096);
    writeFileSync(file, bytes);
    await expect(upgradeFile(file)).rejects.toMatchObject({ name: "DatabaseDamagedError" });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it("rejects a missing file", async () => {
    await expect(upgradeFile(join(databases.folder, "none.sqlite"))).rejects.toThrow("There is no database");
  });
});
