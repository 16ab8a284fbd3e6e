import { crc32 } from "node:zlib";
import type { SQLOutputValue } from "node:sqlite";
import { type Connection, numberOf, textOf } from "./connection.ts";

/** The checksum of a row that an earlier release wrote. Such a row is not checked. */
const UNKNOWN = 0x7f_ff_ff_ff;

/**
 * Adds the column of a table. Its default takes four bytes, as most checksums do, so that setting the checksum of a new
 * row overwrites these bytes and moves nothing.
 */
export function addChecksum(table: string): string {
  return `ALTER TABLE ${table} ADD COLUMN checksum INTEGER NOT NULL DEFAULT ${UNKNOWN};`;
}

/** Makes `row_checksum` available to SQL statements of a connection. */
export function defineChecksum({ sqlite }: Connection): void {
  const options = { deterministic: true, directOnly: false, varargs: true, useBigIntArguments: true } as const;
  sqlite.function("row_checksum", options, (...values) => checksumOf(values));
}

/**
 * Sets the checksum of every row that this connection writes. The triggers are temporary, so that other programs can
 * still write to the file; verify then reports what they have changed.
 */
export function keepChecksums(connection: Connection): void {
  for (const table of checkedTables(connection)) connection.exec(triggersOf(table));
}

/** Sets the checksums of all rows that have none: once, after the migration that adds the column. */
export function fillChecksums(connection: Connection): void {
  for (const { name, values } of checkedTables(connection)) {
    connection.exec(`UPDATE ${name} SET checksum = ${checksumSql(values)} WHERE checksum = ${UNKNOWN}`);
  }
}

/** A row whose content differs from what Outlive wrote. */
export interface DamagedRow {
  readonly table: string;
  /** The values of its primary key, as far as they can still be read. */
  readonly key: readonly string[];
}

/** The first rows of each table, or of one, whose checksum is wrong. Reads these tables. */
export function damagedRows(connection: Connection, most: number, only?: string): readonly DamagedRow[] {
  const tables = checkedTables(connection).filter(({ name }) => only === undefined || name === only);
  return tables.flatMap(({ name, keys, values }) => {
    const sql = `SELECT ${keys.join(", ")} FROM ${name} WHERE ${isDamaged(values)} LIMIT ${most}`;
    return connection.all(sql).map((row) => ({ table: name, key: keys.map((key) => textOf(row, key)) }));
  });
}

/** Deletes the rows of a table whose checksum is wrong and that meet a condition. Returns their number. */
export function deleteDamaged(connection: Connection, table: string, condition = "TRUE"): number {
  const checked = checkedTables(connection).find(({ name }) => name === table);
  if (checked === undefined) return 0;
  return connection.run(`DELETE FROM ${table} WHERE ${isDamaged(checked.values)} AND ${condition}`);
}

interface CheckedTable {
  readonly name: string;
  readonly keys: readonly string[];
  /** The columns that the checksum is about. */
  readonly values: readonly string[];
}

/** The tables with a checksum. */
function checkedTables(connection: Connection): readonly CheckedTable[] {
  const names = connection.all("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name");
  return names.flatMap((row) => {
    const name = textOf(row, "name");
    const columns = connection.all(`PRAGMA main.table_info(${name})`);
    const all = columns.map((column) => textOf(column, "name"));
    const keys = columns.filter((column) => numberOf(column, "pk") > 0).map((column) => textOf(column, "name"));
    const values = all.filter((column) => column !== "checksum");
    if (values.length === all.length) return [];
    return [{ name, keys: keys.length === 0 ? ["rowid"] : keys, values }];
  });
}

function triggersOf({ name, keys, values }: CheckedTable): string {
  const same = keys.map((key) => `${key} = NEW.${key}`).join(" AND ");
  const set = `UPDATE ${name} SET checksum = ${checksumSql(values.map((value) => `NEW.${value}`))} WHERE ${same};`;
  return `
    CREATE TEMP TRIGGER checksum_inserted_${name} AFTER INSERT ON main.${name} BEGIN ${set} END;
    CREATE TEMP TRIGGER checksum_updated_${name} AFTER UPDATE OF ${values.join(", ")} ON main.${name} BEGIN ${set} END;
  `;
}

/** The condition of rows whose checksum is right, by all other columns of their table. */
export function isSound(...values: readonly string[]): string {
  return `NOT (${isDamaged(values)})`;
}

function isDamaged(values: readonly string[]): string {
  return `checksum <> ${UNKNOWN} AND checksum <> ${checksumSql(values)}`;
}

function checksumSql(values: readonly string[]): string {
  return `row_checksum(${values.join(", ")})`;
}

/** A CRC-32 of all values with their types and lengths, as a signed number: it finds every changed bit. */
function checksumOf(values: readonly SQLOutputValue[]): number {
  let checksum = crc32(values.map(headOf).join(","));
  for (const value of values) if (value instanceof Uint8Array) checksum = crc32(value, checksum);
  const signed = checksum | 0;
  return signed === UNKNOWN ? signed - 1 : signed;
}

function headOf(value: SQLOutputValue): string {
  if (value === null) return "null";
  if (value instanceof Uint8Array) return `blob ${value.length}`;
  return typeof value === "string" ? `text ${value.length} ${value}` : `number ${value}`;
}
