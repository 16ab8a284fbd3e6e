import { compareText } from "../../src/job/model/compare-text.ts";
import { shownText } from "../text/shown-text.ts";
import type { ListColumn } from "./list-column.ts";

/** The columns that a list offers, in the order in which they are shown. */
export interface OfferedColumns<Row> {
  readonly columns: readonly ListColumn<Row>[];
  /** The labels of a row, each of which can be a column too. */
  readonly labelsOf?: (row: Row) => Readonly<Record<string, string>>;
}

const LABEL = "label:";
/** More columns than any screen shows. */
const MOST_LABELS = 8;
/** A key of a label: a prefix of 253 characters, a slash, and a name of 63. */
const MOST_KEY_LENGTH = 317;

/**
 * The columns that the address names, in their fixed order; the standard ones if it names none that is known. On a
 * narrow screen, chosen columns are all shown, and the table scrolls.
 */
export function shownColumns<Row>(text: string | undefined, offered: OfferedColumns<Row>): readonly ListColumn<Row>[] {
  const names = new Set((text ?? "").split(","));
  const labels = offered.labelsOf === undefined ? [] : labelColumns(names, offered.labelsOf);
  const known = offered.columns.filter(({ id }) => names.has(id));
  if (known.length + labels.length === 0) return offered.columns.filter(({ shown }) => shown !== "chosen");
  const chosen = offered.columns.filter((column) => column.shown === "always" || known.includes(column));
  return [...chosen, ...labels].map((column) => ({
    ...column,
    class: column.class.replaceAll(/ ?\bhide-[sm]\b/g, ""),
  }));
}

/** The parameter of the address with a column added or removed; empty for the standard columns. */
export function toggledColumns<Row>(text: string | undefined, offered: OfferedColumns<Row>, id: string): string {
  const before = shownColumns(text, offered).map((column) => column.id);
  const after = before.includes(id) ? before.filter((name) => name !== id) : [...before, id];
  const next = shownColumns(after.join(","), offered).map((column) => column.id);
  const standard = shownColumns(undefined, offered).map((column) => column.id);
  return next.join() === standard.join() ? "" : next.join();
}

/** Whether the reader has chosen the columns. */
export function isChosen<Row>(columns: readonly ListColumn<Row>[], offered: OfferedColumns<Row>): boolean {
  return columns.some((column) => !offered.columns.includes(column));
}

/** The width below which a table of these columns scrolls, in rem. */
export function widthOf<Row>(columns: readonly ListColumn<Row>[]): number {
  return columns.reduce((sum, { rem }) => sum + rem, 0);
}

export function labelColumnId(key: string): string {
  return `${LABEL}${key}`;
}

/** The keys of labels that rows have, the most frequent first. */
export function labelKeys<Row>(rows: readonly Row[], { labelsOf }: OfferedColumns<Row>): readonly string[] {
  if (labelsOf === undefined) return [];
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const key of Object.keys(labelsOf(row))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  // In the address, a comma separates columns.
  const keys = [...counts].filter(([key]) => !key.includes(",") && key.length <= MOST_KEY_LENGTH);
  return keys.sort(([a, n], [b, m]) => m - n || compareText(a, b)).map(([key]) => key);
}

function labelColumns<Row>(
  names: ReadonlySet<string>,
  labelsOf: NonNullable<OfferedColumns<Row>["labelsOf"]>,
): readonly ListColumn<Row>[] {
  const keys = [...names].flatMap((name) => (name.startsWith(LABEL) ? [name.slice(LABEL.length)] : []));
  const valid = keys.filter((key) => key !== "" && key.length <= MOST_KEY_LENGTH);
  return valid
    .sort(compareText)
    .slice(0, MOST_LABELS)
    .map((key) => labelColumn(key, labelsOf));
}

function labelColumn<Row>(key: string, labelsOf: NonNullable<OfferedColumns<Row>["labelsOf"]>): ListColumn<Row> {
  const id = labelColumnId(key);
  const of = (row: Row): string | undefined => (Object.hasOwn(labelsOf(row), key) ? labelsOf(row)[key] : undefined);
  return {
    id,
    header: shownText(key),
    class: "w-text",
    rem: 10,
    shown: "chosen",
    cell: (row) => shownText(of(row) ?? "–"),
    order: { by: id, of, first: "ascending" },
    fields: { [id]: of },
  };
}
