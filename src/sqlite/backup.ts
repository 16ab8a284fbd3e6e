import { existsSync } from "node:fs";
import { backup } from "node:sqlite";
import { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { DatabaseDamagedError, DatabaseError, databaseError } from "./database-error.ts";

/**
 * Copies the whole database to a new file while others read and write it; the copy is of one moment. The copy is checked before this resolves.
 * Throws {@link BackupExistsError} rather than overwrite anything.
 */
export async function backUp(database: Database, target: string): Promise<void> {
  if (existsSync(target)) throw new BackupExistsError(target);
  await database.read((connection) => copy(connection, target));
  const written = new Connection(target, { busyMillis: 0, readOnly: true });
  try {
    const check = written.get("PRAGMA quick_check");
    if (check?.["quick_check"] !== "ok") throw new DatabaseDamagedError(target);
  } finally {
    written.close();
  }
}

async function copy(connection: Connection, target: string): Promise<void> {
  try {
    await backup(connection.sqlite, target);
  } catch (cause) {
    throw databaseError(target, cause);
  }
}

/** There is a file where the backup was to go. */
class BackupExistsError extends DatabaseError {
  override readonly name = "BackupExistsError";

  constructor(target: string) {
    super(`${target} exists already, and a backup overwrites nothing. Name a file that does not exist.`);
  }
}
