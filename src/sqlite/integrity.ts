import { DatabaseDamagedError } from "./database-error.ts";
import type { Database } from "./database.ts";
import { textOf } from "./connection.ts";
import { type DamagedRow, damagedRows } from "./row-checksums.ts";

/** The most problems that are reported. */
const MAX_PROBLEMS = 20;

/**
 * Checks the whole file with SQLite's integrity_check: the structure of its pages, and that each index has exactly the
 * entries of its table's rows. Returns the problems; none if the file is sound.
 */
export async function findDamage(database: Database): Promise<readonly string[]> {
  try {
    const rows = await database.read((connection) => connection.all(`PRAGMA integrity_check(${MAX_PROBLEMS})`));
    const results = rows.map((row) => textOf(row, "integrity_check"));
    return results.length === 1 && results[0] === "ok" ? [] : results;
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return [error.message];
    throw error;
  }
}

/** The rows whose checksum is wrong: bits that flipped in the file, or changes by another program. */
export async function findDamagedRows(database: Database): Promise<readonly DamagedRow[]> {
  return database.read((connection) => damagedRows(connection, MAX_PROBLEMS));
}
