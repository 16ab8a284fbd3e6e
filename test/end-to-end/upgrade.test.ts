import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FORMAT_STEPS } from "../formats/format-steps.ts";
import { FixtureDatabases } from "../formats/read-fixtures.ts";
import { runOutlive, scratchFolder } from "../support/running/run-outlive.ts";

const scratch = scratchFolder();
const databases = new FixtureDatabases();
afterAll(async () => {
  databases.clear();
  await scratch.remove();
});

const outlive = (...words: readonly string[]) => runOutlive(words, { cwd: scratch.path });
const older = FORMAT_STEPS.find(({ database }) => database === 8);

/** A database file of schema 8 in the folder of the tests. */
function fileOfSchema8(name: string): string {
  if (older === undefined) throw new Error("No step has schema 8.");
  copyFileSync(databases.copyOf(older), join(scratch.path, name));
  return name;
}

describe("outlive upgrade", () => {
  it("says what it would do, then copies and migrates the file, then has nothing to do", async () => {
    const file = fileOfSchema8("outlive.sqlite");
    const checked = await outlive("upgrade", "--check", "-o", "json");
    expect(checked).toMatchObject({ status: 0, stderr: "" });
    const { items } = JSON.parse(checked.stdout) as { readonly items: readonly object[] };
    expect(items).toContainEqual(
      expect.objectContaining({ check: "database", result: "ok", found: [8], readsUpTo: 9 }),
    );
    expect(items).toContainEqual(expect.objectContaining({ check: "back", result: "warning" }));
    const upgraded = await outlive("upgrade");
    expect(upgraded).toMatchObject({ status: 0, stdout: "" });
    expect(upgraded.stderr).toContain(`Copied ${file} to ${file}.schema-8, and migrated it from schema 8 to 9.\n`);
    expect(await outlive("upgrade")).toMatchObject({
      status: 0,
      stderr: `${file} needs no migration. Nothing was changed.\n`,
    });
    expect((await outlive("replay")).status).toBe(0);
    expect(await outlive("verify")).toMatchObject({ status: 0 });
  });

  it("fails the check of a file that is no database, with status 1", async () => {
    writeFileSync(join(scratch.path, "notes.txt"), "These are notes, and no database at all. ".repeat(50));
    const { status, stdout, stderr } = await outlive("upgrade", "--check", "--database", "notes.txt", "--no-headers");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^database +failed +notes\.txt is not an SQLite database/m);
    expect(stderr).toBe("error: Failed checks: database.\n");
  });

  it.each<readonly [readonly string[], RegExp]>([
    [["--check", "--database", "none.sqlite"], /There is no database none\.sqlite/],
    [["--database", "none.sqlite"], /There is no database none\.sqlite/],
    [["--stage", "prod"], /A deployment is upgraded with "cdk deploy"/],
    [["--server", "http://127.0.0.1:1"], /Stop the server/],
  ])("rejects %j with status 2", async (words, message) => {
    const { status, stderr } = await outlive("upgrade", ...words);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(message) as string });
  });

  it("never copies over a file", async () => {
    const file = fileOfSchema8("other.sqlite");
    writeFileSync(join(scratch.path, "taken"), "mine");
    const { status, stderr } = await outlive("upgrade", "--database", file, "--backup", "taken");
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("the file exists") as string });
  });
});
