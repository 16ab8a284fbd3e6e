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

/** Columns of a text in a terminal: East Asian wide characters and emoji take two, combining marks none (UAX #11). */
function displayWidth(text: string): number {
  // A fast path: most text is ASCII, and a table measures every cell.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return [...GRAPHEMES.segment(text)].reduce(
    (width, { segment }) => width + (WIDE.test(segment) ? 2 : ZERO.test(segment) ? 0 : 1),
    0,
  );
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WIDE_RANGES = [
  "\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4cf\\uac00-\\ud7a3",
  "\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}",
].join("");
const WIDE = new RegExp(`[${WIDE_RANGES}]|\\p{Emoji_Presentation}`, "u");
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
