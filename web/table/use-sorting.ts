import { useMemo } from "preact/hooks";
import { route, setParameters } from "../shell/location.ts";
import type { Column, ColumnOrder } from "./column.ts";
import { canSortBy, readSort, type Sort, sortAfterClick, sortedRows, sortText } from "./sort.ts";

/** The order of a table, and how to change it. */
export interface Sorting {
  /** The order in effect. */
  readonly sort: Sort | undefined;
  readonly canSortBy: (by: string) => boolean;
  readonly onSort: (order: ColumnOrder<never>) => void;
}

export interface SortingOptions<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The parameter of the address, unique in its view. @default "sort" */
  readonly parameter?: string;
  /** The order without a parameter. @default that of the rows */
  readonly standard?: Sort | undefined;
  /** The orders that the server has. @default none */
  readonly server?: ReadonlySet<string> | undefined;
  /** Whether every row that matches is loaded. @default true */
  readonly isComplete?: boolean;
}

export interface SortedTable<Row> {
  readonly rows: readonly Row[];
  readonly sorting: Sorting;
  /** An order of the address that is not in effect, because rows are missing. */
  readonly ignored: Sort | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Sorts rows as the address says. The page sorts them if all of them are loaded, else the server has done it. */
export function useSorting<Row>(options: SortingOptions<Row>): SortedTable<Row> {
  const { rows, columns, parameter = "sort", standard, server = NONE, isComplete = true } = options;
  const given = readSort(route.value.parameters[parameter]);
  const wanted = columns.some(({ order }) => order?.by === given?.by) ? given : undefined;
  const isPossible = wanted === undefined || canSortBy(wanted.by, { server, isComplete });
  const sort = isPossible && wanted !== undefined ? wanted : standard;
  const text = sort && sortText(sort);
  const sorted = useMemo(
    () => (isComplete ? sortedRows(rows, columns, sort) : rows),
    [rows, columns, text, isComplete],
  );
  const onSort = (order: ColumnOrder<never>): void => {
    const next = sortText(sortAfterClick(order, sort));
    setParameters({ [parameter]: standard !== undefined && next === sortText(standard) ? "" : next }, "push");
  };
  return {
    rows: sorted,
    sorting: { sort, canSortBy: (by) => canSortBy(by, { server, isComplete }), onSort },
    ignored: isPossible ? undefined : wanted,
  };
}
