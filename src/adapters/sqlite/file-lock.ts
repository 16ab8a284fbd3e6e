import { DatabaseSync } from "node:sqlite";
import { databaseError } from "./database-error.ts";

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
