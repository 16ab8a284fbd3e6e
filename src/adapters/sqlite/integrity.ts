import { DatabaseDamagedError } from "./database-error.ts";
import { type Database, openDatabase } from "./database.ts";
import { type Connection, textOf } from "./connection.ts";
import { type DamagedRow, damagedRows } from "./row-checksums.ts";

/** A table that can be checked alone. */
type CheckedTable = "log";

/** The most problems that are reported. */
const MAX_PROBLEMS = 20;

/**
 * Checks the whole file, or one table, with SQLite's integrity_check: the structure of its pages, and that each index
 * has exactly the entries of its table's rows. For the whole file, it also checks that the schema is the one that the
 * migrations create. Returns the problems; none if it is sound.
 */
export async function findDamage(database: Database, table?: CheckedTable): Promise<readonly string[]> {
  try {
    const sql = `PRAGMA integrity_check(${table ?? MAX_PROBLEMS})`;
    const rows = await database.read((connection) => connection.all(sql));
    const results = rows.map((row) => textOf(row, "integrity_check"));
    if (results.length !== 1 || results[0] !== "ok") return results;
    return table === undefined ? await damagedSchema(database) : [];
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return [error.message];
    throw error;
  }
}

/** Tables, indexes and triggers that are missing or have another definition. Additional ones change nothing. */
async function damagedSchema(database: Database): Promise<readonly string[]> {
  const migrated = openDatabase(":memory:");
  try {
    const [expected, found] = [await migrated.read(schemaOf), await database.read(schemaOf)];
    const different = [...expected].filter(([name, sql]) => found.get(name) !== sql);
    return different.map(([name]) => `The definition of ${name} is missing or damaged.`);
  } finally {
    migrated.close();
  }
}

/**
 * Definitions by the type and name of the object, without SQLite's own objects. Earlier commits broke the lines of some
 * definitions elsewhere.
 */
function schemaOf(connection: Connection): ReadonlyMap<string, string> {
  const objects = connection.all(
    "SELECT type || ' ' || name AS name, sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@'",
  );
  return new Map(objects.map((row) => [textOf(row, "name"), textOf(row, "sql").replaceAll(/[ \n]+/g, " ")]));
}

/** The rows whose checksum is wrong, of all tables or of one: flipped bits, or changes by another program. */
export async function findDamagedRows(database: Database, table?: CheckedTable): Promise<readonly DamagedRow[]> {
  return database.read((connection) => damagedRows(connection, MAX_PROBLEMS, table));
}
