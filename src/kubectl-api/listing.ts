import type { KubeObject } from "./kube-object.ts";
import { type Column, type TableOptions, tableOf } from "./table.ts";

/** Objects that were listed, and how they are shown as a Table. */
export interface Listing {
  readonly objects: readonly KubeObject[];
  readonly table: (options: TableOptions) => unknown;
  /** The object at `index`, alone. */
  readonly only: (index: number) => Listing;
  /** Where the list goes on. */
  readonly continueToken?: string | undefined;
}

/** `show` makes the object of a row. */
export function listingOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  show: (row: Row) => KubeObject,
  continueToken?: string,
): Listing {
  const shown = rows.map((row) => ({ row, object: show(row) }));
  return {
    objects: shown.map(({ object }) => object),
    table: (options) => tableOf({ columns, rows: shown }, options),
    only: (index) => listingOf(rows.slice(index, index + 1), columns, show),
    ...(continueToken !== undefined && { continueToken }),
  };
}
