import { existsSync } from "node:fs";
import { copyDatabase } from "../../src/adapters/sqlite/backup.ts";
import { inspectDatabase, NEWEST_DATABASE_SCHEMA } from "../../src/adapters/sqlite/database.ts";
import { isDatabaseInUse } from "../../src/adapters/sqlite/file-lock.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { requireDatabase } from "../../src/host/embedded/database-file.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { copyName } from "./check-file.ts";

export type UpgradedFile =
  | { readonly outcome: "current" }
  | { readonly outcome: "migrated"; readonly from: number; readonly copy: string };

/**
 * Copies a database file of an earlier schema, and then opens it, which migrates it. An earlier release can open the
 * copy. If the process is killed in between, the file is unchanged. Throws CommandFailure if a process has the file
 * open, or if a copy of an earlier attempt exists.
 */
export async function upgradeFile(file: string, backup?: string): Promise<UpgradedFile> {
  requireDatabase(file);
  const from = await inspectDatabase(file, (_, schema) => schema);
  if (from === 0 || from === NEWEST_DATABASE_SCHEMA) return { outcome: "current" };
  requireUnused(file);
  const copy = backup ?? newCopyName(file, from);
  await inspectDatabase(file, (connection) => copyDatabase(connection, copy));
  await withDatabase(file, { create: false }, async () => {});
  return { outcome: "migrated", from, copy };
}

function requireUnused(file: string): void {
  if (!isDatabaseInUse(file)) return;
  throw new CommandFailure(
    2,
    `A process has ${file} open, and would write what the copy lacks. Stop it first. \`fuser ${file}\` finds it.`,
  );
}

/** The file still has its earlier schema, so an upgrade that made the copy did not finish. */
function newCopyName(file: string, schema: number): string {
  const copy = copyName(file, schema);
  if (!existsSync(copy)) return copy;
  throw new CommandFailure(
    2,
    `${copy} exists, probably of an upgrade that failed. ${file} still has schema ${schema}: nothing was changed. ` +
      "Delete the copy and repeat the command, or keep it and name another one with --backup.",
  );
}
