import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly header: string;
  /** Classes of tables.css for the width, and for screens on which it is hidden. */
  readonly class: string;
  readonly cell: (row: Row) => ComponentChildren;
}
