import { displayWidth } from "./display-width.ts";
import { terminalText } from "../../src/job/text/terminal-text.ts";
import type { Paint } from "./paint.ts";

/** One column of a table over rows of `Row`. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string | number | undefined;
  /** Shown with `-o wide` only. */
  readonly wide?: true;
  /** What CSV has instead: exact values for a text that is rounded or relative to now. */
  readonly csv?: readonly Pick<Column<Row>, "header" | "cell">[];
  /** The colour of a cell. */
  readonly paint?: (row: Row) => Parameters<Paint>[0] | undefined;
}

/** The separator of columns in kubectl. */
const GUTTER = "   ";
/** What kubectl prints for an empty cell. */
const NOTHING = "<none>";

/**
 * A table in the style of kubectl: upper-case headers, three spaces between columns, no padding of the last cell.
 * Ends with a line break.
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: { readonly headers: boolean; readonly wide: boolean; readonly paint: Paint },
): string {
  const shown = columns.filter(({ wide }) => wide !== true || options.wide);
  const cells = rows.map((row) => shown.map((column) => cellText(column.cell(row))));
  const headers = shown.map(({ header }) => header);
  const widths = headers.map((header, index) =>
    Math.max(options.headers ? header.length : 0, ...cells.map((line) => displayWidth(line[index] ?? ""))),
  );
  const lines = rows.map((row, line) =>
    formatLine(cells[line] ?? [], widths, (text, index) => {
      const format = shown[index]?.paint?.(row);
      return format === undefined ? text : options.paint(format, text);
    }),
  );
  return [...(options.headers ? [formatLine(headers, widths, (text) => text)] : []), ...lines]
    .map((line) => `${line}\n`)
    .join("");
}

function formatLine(
  cells: readonly string[],
  widths: readonly number[],
  paint: (text: string, index: number) => string,
): string {
  return cells
    .map((text, index) => {
      const fill = index === cells.length - 1 ? 0 : (widths[index] ?? 0) - displayWidth(text);
      return paint(text, index) + " ".repeat(Math.max(0, fill));
    })
    .join(GUTTER);
}

function cellText(value: string | number | undefined): string {
  const text = terminalText(String(value ?? ""));
  return text === "" ? NOTHING : text;
}
