import { copyDatabase } from "../../src/adapters/sqlite/backup.ts";
import { inspectDatabase, NEWEST_DATABASE_SCHEMA } from "../../src/adapters/sqlite/database.ts";
import { requireDatabase } from "../../src/host/embedded/database-file.ts";
import { withDatabase } from "../../src/host/embedded/with-database.ts";
import { copyName } from "./check-file.ts";

export type UpgradedFile =
  | { readonly outcome: "current" }
  | { readonly outcome: "migrated"; readonly from: number; readonly copy: string };

/**
 * Copies a database file of an earlier schema, and then opens it, which migrates it. An earlier release can open the
 * copy. If the process is killed in between, the file is unchanged.
 */
export async function upgradeFile(file: string, backup?: string): Promise<UpgradedFile> {
  requireDatabase(file);
  const copied = await inspectDatabase(file, async (connection, schema): Promise<UpgradedFile> => {
    if (schema === 0 || schema === NEWEST_DATABASE_SCHEMA) return { outcome: "current" };
    const copy = backup ?? copyName(file, schema);
    await copyDatabase(connection, copy);
    return { outcome: "migrated", from: schema, copy };
  });
  if (copied.outcome === "migrated") await withDatabase(file, { create: false }, async () => {});
  return copied;
}
