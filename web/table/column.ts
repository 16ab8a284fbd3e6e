import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly header: string;
  /** Widths and where it is hidden: classes of tables.css. */
  readonly class: string;
  readonly cell: (row: Row) => ComponentChildren;
}
