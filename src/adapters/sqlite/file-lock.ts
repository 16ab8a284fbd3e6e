import { DatabaseSync } from "node:sqlite";
import { Connection } from "./connection.ts";
import { databaseError, DatabaseLockedError } from "./database-error.ts";

export interface FileLock {
  readonly release: () => void;
}

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;

/**
 * Locks `path`, an empty file that is created if it is missing, until the lock is released or the process ends.
 * `undefined` if another process, or this one, has the lock. SQLite uses the kernel's POSIX advisory locks, which end
 * with their process. A pid file would be unreliable, because pids have no meaning across containers. Throws a
 * DatabaseError if the file cannot be used.
 */
export function lockFile(path: string): FileLock | undefined {
  let sqlite: DatabaseSync | undefined;
  try {
    sqlite = new DatabaseSync(path, { timeout: 0 });
    sqlite.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    sqlite?.close();
    if (cause instanceof Error && "errcode" in cause && cause.errcode === BUSY) return undefined;
    throw databaseError(path, cause);
  }
  const locked = sqlite;
  return { release: () => locked.close() };
}

/**
 * Whether a connection has the database open, of this process or another one. What a killed process left in the
 * write-ahead log is moved into the file. Throws a DatabaseError if the file cannot be written.
 */
export function isDatabaseInUse(path: string): boolean {
  const connection = new Connection(path, { busyMillis: 0, readOnly: false });
  try {
    // Each connection to a file in WAL mode has a shared lock while it is open, also between its transactions.
    connection.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    if (error instanceof DatabaseLockedError) return true;
    throw error;
  } finally {
    connection.close();
  }
}
