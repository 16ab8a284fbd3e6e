import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { checkFile } from "../../../cli/upgrade/check-file.ts";
import { NEWEST_DATABASE_SCHEMA } from "../../../src/adapters/sqlite/database.ts";
import { FORMAT_STEPS } from "../../formats/format-steps.ts";
import { FixtureDatabases } from "../../formats/read-fixtures.ts";

const databases = new FixtureDatabases();
afterAll(() => databases.clear());

async function resultsOf(file: string): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await checkFile(file)).map(({ check, result }) => [check, result]));
}

function detailOf(checks: Awaited<ReturnType<typeof checkFile>>, name: string): string {
  return checks.find(({ check }) => check === name)?.detail ?? "";
}

describe.each(FORMAT_STEPS)("the check of a file of step $name", (step) => {
  it("finds its formats, says what an upgrade does, and leaves the file as it is", async () => {
    const file = databases.copyOf(step);
    const before = readFileSync(file);
    const checks = await checkFile(file);
    const isOlder = step.database < NEWEST_DATABASE_SCHEMA;
    expect(checks).toContainEqual(expect.objectContaining({ check: "database", result: "ok", found: [step.database] }));
    expect(checks).toContainEqual(expect.objectContaining({ check: "log", result: "ok", found: step.segments }));
    const results = await resultsOf(file);
    const expected = isOlder
      ? { migration: "warning", disk: "ok", replay: "warning", back: "warning" }
      : { migration: "ok", replay: "ok", back: "ok" };
    expect(results).toMatchObject(expected);
    expect([readFileSync(file).equals(before), readdirSync(dirname(file))]).toEqual([true, ["outlive.sqlite"]]);
  });
});

describe("the check of a file", () => {
  const [first] = FORMAT_STEPS;
  const older = () => {
    if (first === undefined) throw new Error("There are no steps.");
    return databases.copyOf(first);
  };

  it("says that a process has it open", async () => {
    const file = older();
    const other = new DatabaseSync(file);
    other.exec("PRAGMA journal_mode = WAL; CREATE TABLE more (text TEXT)");
    const checks = await checkFile(file);
    other.close();
    expect(detailOf(checks, "migration")).toMatch(/^A process has the file open/);
  });

  it("fails with a segment of a later release", async () => {
    const file = older();
    const other = new DatabaseSync(file);
    other.exec("UPDATE log SET bytes = x'09000000000000000000000000'");
    other.close();
    expect(await resultsOf(file)).toMatchObject({ database: "ok", log: "failed" });
  });

  it.each<readonly [string, (file: string) => void, RegExp]>([
    [
      "of a later release",
      (file) => edit(file, `PRAGMA user_version = ${NEWEST_DATABASE_SCHEMA + 1}`),
      /Update Outlive/,
    ],
    ["of another program", (file) => edit(file, "PRAGMA application_id = 7"), /not one of Outlive's/],
    ["that is no database", (file) => writeFileSync(file, "These are notes. ".repeat(99)), /not an SQLite database/],
    ["that is damaged", damage, /is damaged/],
  ])("fails with one %s", async (_, change, words) => {
    const file = older();
    change(file);
    const checks = await checkFile(file);
    expect(checks.map(({ check, result }) => `${check} ${result}`)).toEqual([
      "release ok",
      "node ok",
      "database failed",
    ]);
    expect(detailOf(checks, "database")).toMatch(words);
  });

  it("fails with a folder", async () => {
    const folder = join(databases.folder, "folder");
    mkdirSync(folder);
    expect(await resultsOf(folder)).toMatchObject({ database: "failed" });
  });

  it("accepts an empty file, which has no tables yet", async () => {
    const file = join(databases.folder, "empty.sqlite");
    writeFileSync(file, "");
    expect(await resultsOf(file)).toMatchObject({ database: "ok", log: "ok", migration: "ok", back: "ok" });
  });

  it("rejects a missing file", async () => {
    await expect(checkFile(join(databases.folder, "none.sqlite"))).rejects.toThrow("There is no database");
  });
});

function edit(file: string, sql: string): void {
  const other = new DatabaseSync(file);
  other.exec(sql);
  other.close();
}

function damage(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xff, 100, 4096);
  writeFileSync(file, bytes);
}
