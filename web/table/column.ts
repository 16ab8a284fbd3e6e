import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly header: string;
  /** Classes of tables.css for the width, and for screens on which it is hidden. */
  readonly class: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** How rows are sorted by this column. Absent: they cannot be. */
  readonly order?: ColumnOrder<Row>;
}

export interface ColumnOrder<Row> {
  /** Its name in the address; for a list that the server sorts, the API's own name of the order. */
  readonly by: string;
  /** Rows without a value are last in both directions. */
  readonly of: (row: Row) => string | number | undefined;
  /** The direction of the first click. */
  readonly first: "ascending" | "descending";
  /** The column shows the opposite of what it sorts by, such as an age by the creation. */
  readonly isReversed?: true;
}
