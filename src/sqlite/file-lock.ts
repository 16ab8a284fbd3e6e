import { DatabaseSync } from "node:sqlite";
import { databaseError } from "./database-error.ts";

export interface FileLock {
  readonly release: () => void;
}

/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;

/**
 * Holds `path`, which is made where there is none and stays empty, until it is released or this process is no more; `undefined` where another process, or
 * another place of this one, holds it. SQLite's lock is the kernel's (POSIX advisory locks): however a holder dies, its lock goes with it, so that nobody has to
 * guess from a pid whether a holder still lives, which cannot be told across containers. Throws a DatabaseError where the file cannot be used.
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
  const held = sqlite;
  return { release: () => held.close() };
}
