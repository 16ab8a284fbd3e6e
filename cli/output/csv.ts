import { csvLine } from "../../src/job/text/csv-text.ts";
import type { Column } from "./table.ts";

/** A table as CSV (RFC 4180), with the columns of `-o wide`. */
export function formatCsv<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { headers }: { readonly headers: boolean },
): string {
  const exact = columns.flatMap(({ header, cell, csv }) => csv ?? [{ header, cell }]);
  const lines = rows.map((row) => csvLine(exact.map(({ cell }) => cell(row))));
  return [...(headers ? [csvLine(exact.map(({ header }) => header))] : []), ...lines].join("");
}
