import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** Flips a bit of a byte that is not 0: most others are in no row. In a small file, many are in its schema. */
export function flipAnyBit(path: string, place: number): void {
  const bytes = readFileSync(path);
  const used = [...bytes.keys()].filter((at) => bytes[at] !== 0);
  const at = used[(place >>> 3) % used.length] ?? 0;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (place & 7));
  writeFileSync(path, bytes);
}

/** Flips a bit of a value of a row, without its checksum. A file that cannot be read any more stays as it is. */
export function flipValue(path: string, place: number): void {
  const sqlite = new DatabaseSync(path);
  try {
    const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%checksum%'").all();
    const filled = tables.map(({ name }) => valuesOf(sqlite, String(name))).filter((values) => values.length > 0);
    const values = filled[place % filled.length] ?? [];
    const { table, keys, row, column } = values[Math.floor(place / filled.length) % values.length] ?? {};
    if (table === undefined || keys === undefined || row === undefined || column === undefined) return;
    const where = keys.map((key) => `${key} = ?`).join(" AND ");
    const flipped = flippedValue(row[column] ?? 0, Math.floor(place / values.length));
    sqlite
      .prepare(`UPDATE OR IGNORE ${table} SET ${column} = ? WHERE ${where}`)
      .run(flipped, ...keys.map((key) => row[key] ?? null));
  } catch (cause) {
    if (!(cause instanceof Error && "errcode" in cause)) throw cause;
  } finally {
    sqlite.close();
  }
}

type Value = Readonly<Record<"table" | "column", string>> & {
  readonly keys: readonly string[];
  readonly row: Readonly<Record<string, SQLInputValue>>;
};

function valuesOf(sqlite: DatabaseSync, table: string): readonly Value[] {
  const columns = sqlite.prepare(`PRAGMA table_info(${table})`).all();
  const keys = columns.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name));
  return sqlite
    .prepare(`SELECT * FROM ${table}`)
    .all()
    .flatMap((row) =>
      Object.keys(row).flatMap((column) =>
        keys.length === 0 || column === "checksum" || row[column] === null ? [] : [{ table, keys, row, column }],
      ),
    );
}

function flippedValue(value: SQLInputValue, bit: number): SQLInputValue {
  if (typeof value === "number") return value + (value % 2 === 0 ? 1 : -1);
  if (typeof value !== "string" && !(value instanceof Uint8Array)) return value;
  const bytes = Buffer.from(value);
  const at = (bit >>> 3) % Math.max(1, bytes.length);
  // The lower bits of text leave it text.
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % (typeof value === "string" ? 4 : 8)));
  return typeof value === "string" ? bytes.toString() : bytes;
}
