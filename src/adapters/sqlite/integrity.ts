import { DatabaseDamagedError } from "./database-error.ts";
import type { Database } from "./database.ts";
import { textOf } from "./connection.ts";
import { type DamagedRow, damagedRows } from "./row-checksums.ts";

/** A table that can be checked alone. */
type CheckedTable = "log";

/** The most problems that are reported. */
const MAX_PROBLEMS = 20;

/**
 * Checks the whole file, or one table, with SQLite's integrity_check: the structure of its pages, and that each index
 * has exactly the entries of its table's rows. Returns the problems; none if it is sound.
 */
export async function findDamage(database: Database, table?: CheckedTable): Promise<readonly string[]> {
  try {
    const sql = `PRAGMA integrity_check(${table ?? MAX_PROBLEMS})`;
    const rows = await database.read((connection) => connection.all(sql));
    const results = rows.map((row) => textOf(row, "integrity_check"));
    return results.length === 1 && results[0] === "ok" ? [] : results;
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return [error.message];
    throw error;
  }
}

/** The rows whose checksum is wrong, of all tables or of one: flipped bits, or changes by another program. */
export async function findDamagedRows(database: Database, table?: CheckedTable): Promise<readonly DamagedRow[]> {
  return database.read((connection) => damagedRows(connection, MAX_PROBLEMS, table));
}
