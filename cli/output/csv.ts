import { replaceControls } from "../../src/job/text/terminal-text.ts";
import type { Column } from "./table.ts";

/**
 * A table as CSV (RFC 4180), with the columns of `-o wide`. Text that a spreadsheet would run as a formula gets an
 * apostrophe before it.
 */
export function formatCsv<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { headers }: { readonly headers: boolean },
): string {
  const exact = columns.flatMap(({ header, cell, csv }) => csv ?? [{ header, cell }]);
  const lines = rows.map((row) => exact.map(({ cell }) => cellText(cell(row))));
  return [...(headers ? [exact.map(({ header }) => header)] : []), ...lines]
    .map((line) => `${line.map(quoted).join(",")}\r\n`)
    .join("");
}

/** Spreadsheets evaluate cells that begin with these characters, including the full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cellText(value: string | number | undefined): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = replaceControls(value);
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
