import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { backup } from "node:sqlite";
import { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { DatabaseDamagedError, DatabaseError, databaseError } from "./database-error.ts";
import { createPrivately } from "./private-file.ts";

/**
 * Copies a consistent snapshot of the database to a new file while other processes use it. The copy is verified, and
 * deleted if it is damaged. A copy that was interrupted has another name. Throws {@link BackupExistsError} if the
 * target exists, and DatabaseDamagedError if the original is damaged.
 */
export async function backUp(database: Database, target: string): Promise<void> {
  await database.inSnapshot((connection) => copyDatabase(connection, target));
}

/** The same for a file of an earlier schema, which no process writes. */
export async function copyDatabase(connection: Connection, target: string): Promise<void> {
  const isComplete = await storeChecked(target, (partial) => copy(connection, partial));
  if (!isComplete) throw new DatabaseDamagedError(connection.path);
}

/**
 * Lets `write` write a database under another name, checks it, and gives it the name `target`. Returns false if it is
 * damaged. The file is deleted unless it gets the name. Throws {@link BackupExistsError} if the target exists.
 */
export async function storeChecked(target: string, write: (partial: string) => Promise<void>): Promise<boolean> {
  if (existsSync(target)) throw new BackupExistsError(target);
  const partial = partialName(target);
  try {
    await write(partial);
    if (!isSound(partial)) return false;
    // Another process may have made it meanwhile.
    if (existsSync(target)) throw new BackupExistsError(target);
    renameSync(partial, target);
    return true;
  } finally {
    removeDatabase(partial);
  }
}

/** Where a copy is until it is complete. Two processes that write the same copy have two names. */
export function partialName(target: string): string {
  return `${target}.${randomUUID().slice(0, 8)}.partial`;
}

/** Deletes a database that no process uses, with the files beside it. */
export function removeDatabase(path: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${ending}`, { force: true });
}

/** Copies a consistent snapshot without a check, for a reader that checks it. */
export async function copyUnchecked(database: Database, target: string): Promise<void> {
  await database.inSnapshot((connection) => copy(connection, target));
}

/** Opens the copy for writing, so that SQLite deletes its additional files when it is closed. */
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

/** The target of the backup exists. */
class BackupExistsError extends DatabaseError {
  override readonly name = "BackupExistsError";

  constructor(target: string) {
    super(`Cannot back up to ${target}: the file exists. Name a file that does not exist.`);
  }
}
