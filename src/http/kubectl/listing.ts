import type { KubeObject } from "./kube-object.ts";
import { type Column, type KubeTable, type TableOptions, tableOf } from "./table.ts";

/** Listed objects, which can also be shown as a Table. */
export interface Listing {
  readonly objects: readonly KubeObject[];
  readonly table: (options: TableOptions) => KubeTable;
  /** A listing with only the object at `index`. */
  readonly only: (index: number) => Listing;
  /** A listing without objects. */
  readonly none: () => Listing;
  /** Where the list continues. */
  readonly continueToken?: string | undefined;
}

/** How rows of one kind are shown. */
export interface RowFormat<Row> {
  readonly columns: readonly Column<Row>[];
  readonly show: (row: Row) => KubeObject;
}

export function listingOf<Row>(rows: readonly Row[], format: RowFormat<Row>, continueToken?: string): Listing {
  const { columns, show } = format;
  const shown = rows.map((row) => ({ row, object: show(row) }));
  return {
    objects: shown.map(({ object }) => object),
    table: (options) => tableOf({ columns, rows: shown }, options),
    only: (index) => listingOf(rows.slice(index, index + 1), format),
    none: () => listingOf([], format),
    ...(continueToken !== undefined && { continueToken }),
  };
}
