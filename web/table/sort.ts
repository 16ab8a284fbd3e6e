import { compareText } from "../../src/job/model/compare-text.ts";
import type { Column, ColumnOrder } from "./column.ts";

/** An order of rows. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

/** Reads `name` or `-finished`. An earlier page wrote `createdAt` for `created`. */
export function readSort(text: string | undefined): Sort | undefined {
  const [, minus, by] = /^(-?)([^-].*)$/.exec(text ?? "") ?? [];
  return by === undefined ? undefined : { by: by === "createdAt" ? "created" : by, descending: minus === "-" };
}

export function sortText({ by, descending }: Sort): string {
  return `${descending ? "-" : ""}${by}`;
}

/** The order after a click on a header: its own first direction, then the other one. */
export function sortAfterClick<Row>({ by, first }: ColumnOrder<Row>, sort: Sort | undefined): Sort {
  return { by, descending: sort?.by === by ? !sort.descending : first === "descending" };
}

/** Rows of equal values keep their order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const order = columns.find((column) => column.order?.by === sort?.by)?.order;
  if (sort === undefined || order === undefined) return rows;
  const places = rows.map((row) => ({ row, value: order.of(row) }));
  return places.sort((a, b) => compareValues(a.value, b.value, sort.descending)).map(({ row }) => row);
}

type Value = string | number | undefined;

function compareValues(a: Value, b: Value, descending: boolean): number {
  const missing = Number(a === undefined) - Number(b === undefined);
  return missing || ascending(a, b) * (descending ? -1 : 1);
}

function ascending(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareText(String(a ?? ""), String(b ?? ""));
}

/** What a header says about the order of its column; `undefined` if the rows have another order. */
export function shownOrder<Row>(
  order: ColumnOrder<Row> | undefined,
  sort: Sort | undefined,
): "ascending" | "descending" | undefined {
  if (order === undefined || order.by !== sort?.by) return undefined;
  return sort.descending === (order.isReversed === true) ? "ascending" : "descending";
}

/** What can sort a list. */
export interface SortedBy {
  /** The orders that the server has. */
  readonly server: ReadonlySet<string>;
  /** Whether every row that matches is loaded. */
  readonly isComplete: boolean;
}

/**
 * Whether rows can be sorted by a column. The page sorts only if all rows are loaded: the first of some rows need not
 * be the first of all.
 */
export function canSortBy(by: string, { server, isComplete }: SortedBy): boolean {
  return isComplete || server.has(by);
}
