import { readFileSync, writeFileSync } from "node:fs";
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
