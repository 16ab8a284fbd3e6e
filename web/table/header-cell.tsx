import type { Column } from "./column.ts";
import { shownOrder } from "./sort.ts";
import type { Sorting } from "./use-sorting.ts";

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  /** Absent in a table that keeps one order. */
  readonly sorting?: Sorting | undefined;
}

/** A column header. It is a button if the rows can be sorted by its column. */
export function HeaderCell<Row>({ column: { header, class: css, order }, sorting }: HeaderCellProps<Row>) {
  const shown = shownOrder(order, sorting?.sort);
  if (sorting === undefined || order === undefined || !sorting.canSortBy(order.by)) {
    const title = sorting === undefined || order === undefined ? undefined : MISSING_ROWS;
    return (
      <th scope="col" class={css} aria-sort={shown} title={title}>
        {header}
        {shown === undefined ? null : <SortMark shown={shown} />}
      </th>
    );
  }
  return (
    <th scope="col" class={css} aria-sort={shown}>
      <button type="button" class="sort" title={`Sort by ${header}`} onClick={() => sorting.onSort(order)}>
        {header}
        <SortMark shown={shown} />
      </button>
    </th>
  );
}

const MISSING_ROWS =
  "The server cannot sort by this column, and not all rows are loaded. Load all rows to sort them here.";

/** An arrow that points to the larger values, or the place of one. */
function SortMark({ shown }: { readonly shown: ReturnType<typeof shownOrder> }) {
  return (
    <svg viewBox="0 0 8 8" aria-hidden="true" class={shown === undefined ? "sort-mark unsorted" : "sort-mark"}>
      <path d={shown === "descending" ? "M0.5 2h7L4 7z" : "M0.5 6h7L4 1z"} />
    </svg>
  );
}
