import { existsSync, rmSync } from "node:fs";
import { backup } from "node:sqlite";
import { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { DatabaseDamagedError, DatabaseError, databaseError } from "./database-error.ts";
import { createPrivately } from "./private-file.ts";

/**
 * Copies the whole database to a new file while others read and write it; the copy is of one moment. The copy is checked before this resolves,
 * and a bad one does not stay. Throws {@link BackupExistsError} rather than overwrite anything, and DatabaseDamagedError where the original is damaged.
 */
export async function backUp(database: Database, target: string): Promise<void> {
  if (existsSync(target)) throw new BackupExistsError(target);
  await database.read((connection) => copy(connection, target));
  if (isSound(target)) return;
  rmSync(target, { force: true });
  throw new DatabaseDamagedError(database.path);
}

/** Opened for writing, so that SQLite takes its files beside the copy away again. */
function isSound(target: string): boolean {
  const written = new Connection(target, { busyMillis: 0, readOnly: false });
  try {
    return written.get("PRAGMA quick_check")?.["quick_check"] === "ok";
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return false;
    throw error;
  } finally {
    written.close();
  }
}

async function copy(connection: Connection, target: string): Promise<void> {
  try {
    createPrivately(target);
    await backup(connection.sqlite, target);
  } catch (cause) {
    const error = databaseError(target, cause);
    if (!(error instanceof DatabaseDamagedError)) throw error;
    rmSync(target, { force: true });
    throw new DatabaseDamagedError(connection.path, { cause });
  }
}

/** There is a file where the backup was to go. */
class BackupExistsError extends DatabaseError {
  override readonly name = "BackupExistsError";

  constructor(target: string) {
    super(`${target} exists already, and a backup overwrites nothing. Name a file that does not exist.`);
  }
}
