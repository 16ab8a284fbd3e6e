import { statfsSync } from "node:fs";
import {
  DatabaseDiskError,
  DatabaseFullError,
  DatabaseLockedError,
  DatabaseUnwritableError,
} from "./database-error.ts";
import type { Database } from "./database.ts";

/** How long the answer about the file is kept. */
const KEEP_MILLIS = 5_000;
/** After this time, transactions of this process count as hanging. */
const HANGING_MILLIS = 5_000;
const HANGING = `A transaction has kept the database for ${HANGING_MILLIS / 1000} s.`;

/**
 * Returns a function that checks whether the database can be written: `undefined`, or the reason. It writes at most
 * every few seconds.
 */
export function createWriteProbe(database: Database, now: () => number): () => Promise<string | undefined> {
  let known: { readonly problem: Promise<string | undefined>; readonly at: number } | undefined;
  return () => {
    if (known === undefined || now() - known.at >= KEEP_MILLIS) known = { problem: probe(database), at: now() };
    return known.problem;
  };
}

/** Rejects with errors that are not caused by the file. */
async function probe(database: Database): Promise<string | undefined> {
  if (isFull(database.path)) return FULL;
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(HANGING), HANGING_MILLIS);
  try {
    return await Promise.race([late, database.writeNothing().then(() => undefined)]);
  } catch (error) {
    return problemOf(error);
  } finally {
    clearTimeout(timer);
  }
}

const FULL = "The disk of the database is full. Free some space.";

/** The text contains no path: callers need no authentication. */
function problemOf(error: unknown): string {
  if (error instanceof DatabaseFullError) return FULL;
  if (error instanceof DatabaseLockedError) return "Another process keeps the database locked.";
  if (error instanceof DatabaseUnwritableError) return "The database is read-only. Make its file and folder writable.";
  if (error instanceof DatabaseDiskError) {
    return "The disk of the database failed. Check the disk and the system's log.";
  }
  return "The database cannot be written. The server's log has the cause.";
}

/** SQLite may still write to parts of its files that it has reserved, but not for long. */
function isFull(path: string): boolean {
  return path !== ":memory:" && statfsSync(path).bavail === 0;
}
