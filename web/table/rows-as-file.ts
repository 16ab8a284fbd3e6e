import { csvLine } from "../../src/job/text/csv-text.ts";
import { escapeControls } from "../../src/job/text/terminal-text.ts";
import type { ListColumn, Value } from "./list-column.ts";

/** CSV (RFC 4180) of the shown columns. The headers are the names of their values. */
export function rowsAsCsv<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): string {
  const fields = fieldsOf(columns);
  const lines = rows.map((row) => csvLine(fields.map(([, of]) => csvValue(of(row)))));
  return [csvLine(fields.map(([name]) => name)), ...lines].join("");
}

/** A JSON array of objects. A value that a row does not have is absent. */
export function rowsAsJson<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): string {
  const fields = fieldsOf(columns);
  const objects = rows.map((row) => Object.fromEntries(fields.map(([name, of]) => [name, of(row)])));
  return `${escapeControls(JSON.stringify(objects, undefined, 2))}\n`;
}

function fieldsOf<Row>(columns: readonly ListColumn<Row>[]): readonly (readonly [string, (row: Row) => Value])[] {
  return [...new Map(columns.flatMap(({ fields }) => Object.entries(fields)))];
}

function csvValue(value: Value): string | number | undefined {
  return typeof value === "object" ? value.join(",") : value;
}
