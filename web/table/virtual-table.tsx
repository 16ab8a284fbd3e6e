import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Column } from "./column.ts";
import { HeaderCell } from "./header-cell.tsx";
import { movedRow } from "./moved-row.ts";
import { type RowFocus, useRowFocus } from "./use-row-focus.ts";
import type { Sorting } from "./use-sorting.ts";
import { useWindow } from "./use-window.ts";
import { type VisibleRows, visibleRows } from "./visible-rows.ts";
import { signal } from "@preact/signals";

export interface VirtualTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen?: ((row: Row) => void) | undefined;
  readonly height: "tall" | "page-tall";
  /** How headers sort the rows. Absent in a table that keeps one order. */
  readonly sorting?: Sorting | undefined;
  /** The width below which the table scrolls, in rem. @default that of the window */
  readonly minRem?: number | undefined;
  /** Called when the end of the rows comes into view. Given if there are more rows than these. */
  readonly onNearEnd?: (() => void) | undefined;
}

/** A table of any number of rows. Only visible rows are in the document. One row is in the tab order; keys move it. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, columns, onOpen, height, onNearEnd, sorting, minRem } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useWindow(scroller);
  const rowHeight = rowHeightIn(scroller.current);
  const focus = useRowFocus(scroller, rowHeight);
  const { active, setActive, focusRow } = focus;
  useTopAfterSort(scroller, focus, sorting);
  const { first, last } = printing.value
    ? { first: 0, last: Math.min(rows.length, MAX_PRINTED_ROWS) }
    : visibleRows(rows.length, shown, rowHeight);
  const rowCount = onNearEnd === undefined ? rows.length + 1 : -1;
  useNearEnd({ last, count: rows.length }, onNearEnd);
  const inTabOrder = active >= first && active < last ? active : first;
  const onKeyDown = (event: KeyboardEvent): void => {
    const pageSize = Math.floor(shown.height / rowHeight) - 1;
    const target = movedRow(event.key, { row: inTabOrder, rowCount: rows.length, pageSize });
    const move = target === undefined ? undefined : () => focusRow(target);
    handleKey(event, { move, open: openRow(rows[inTabOrder], onOpen) });
  };
  return (
    <div class={`scroll virtual ${height}`} ref={scroller}>
      <table
        role="grid"
        aria-label={label}
        aria-rowcount={rowCount}
        onKeyDown={onKeyDown}
        {...(minRem !== undefined && { class: "chosen", style: { minWidth: `${minRem}rem` } })}
      >
        <TableHead columns={columns} sorting={sorting} />
        <TableBody {...props} drawn={{ first, last, rowHeight, inTabOrder }} onFocus={setActive} />
      </table>
    </div>
  );
}

interface TableBodyProps<Row> extends Pick<VirtualTableProps<Row>, "rows" | "columns" | "keyOf" | "onOpen"> {
  readonly drawn: VisibleRows & { readonly rowHeight: number; readonly inTabOrder: number };
  readonly onFocus: (row: number) => void;
}

function TableBody<Row>({ rows, columns, keyOf, onOpen, drawn, onFocus }: TableBodyProps<Row>) {
  const { first, last, rowHeight, inTabOrder } = drawn;
  return (
    <tbody>
      <Spacer pixels={first * rowHeight} />
      {rows.slice(first, last).map((row, offset) => (
        <TableRow
          key={keyOf(row)}
          row={row}
          columns={columns}
          index={first + offset}
          isInTabOrder={first + offset === inTabOrder}
          onFocus={() => onFocus(first + offset)}
          onOpen={onOpen}
        />
      ))}
      <Spacer pixels={(rows.length - last) * rowHeight} />
    </tbody>
  );
}

/** Asks again after each answer, while the end is in view. */
function useNearEnd({ last, count }: { readonly last: number; readonly count: number }, onNearEnd?: () => void): void {
  const isNear = last + NEAR_END >= count;
  useEffect(() => {
    if (isNear) onNearEnd?.();
  }, [isNear, count, onNearEnd === undefined]);
}

function openRow<Row>(row: Row | undefined, onOpen: ((row: Row) => void) | undefined): (() => void) | undefined {
  return row === undefined || onOpen === undefined ? undefined : () => onOpen(row);
}

interface KeyActions {
  /** Absent if the key does not move the focus. */
  readonly move: (() => void) | undefined;
  /** Absent if rows cannot be opened. */
  readonly open: (() => void) | undefined;
}

function handleKey(event: KeyboardEvent, { move, open }: KeyActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return;
  const action = move ?? (event.key === "Enter" ? open : undefined);
  if (action === undefined) return;
  action();
  event.preventDefault();
  event.stopPropagation();
}

/** Rows in another order are shown from the first one. The header keeps the focus. */
function useTopAfterSort(
  scroller: { readonly current: HTMLElement | null },
  { setActive }: RowFocus,
  sorting: Sorting | undefined,
): void {
  const { by, descending } = sorting?.sort ?? {};
  const before = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const order = `${by} ${descending}`;
    if (before.current !== undefined && before.current !== order) {
      setActive(0);
      scroller.current?.scrollTo({ top: 0 });
    }
    before.current = order;
  }, [by, descending]);
}

interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | undefined;
}

function TableHead<Row>({ columns, sorting }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => (
          <HeaderCell key={columnKey(column)} column={column} sorting={sorting} />
        ))}
      </tr>
    </thead>
  );
}

/** The key of a label can be the header of another column. */
function columnKey<Row>({ header, order }: Column<Row>): string {
  return `${header} ${order?.by}`;
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly isInTabOrder: boolean;
  readonly onFocus: () => void;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function TableRow<Row>({ row, columns, index, isInTabOrder, onFocus, onOpen }: TableRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} tabIndex={isInTabOrder ? 0 : -1} onFocus={onFocus} onDblClick={() => onOpen?.(row)}>
      {columns.map((column) => (
        <td key={columnKey(column)} class={column.class}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** How many rows before the last drawn one further rows are asked for. */
const NEAR_END = 20;
const MAX_PRINTED_ROWS = 2_000;

/** Takes the place of rows that are not drawn. Browsers draw elements of up to about 30 million pixels. */
function Spacer({ pixels }: { readonly pixels: number }) {
  return pixels <= 0 ? null : (
    <tr class="spacer" role="presentation">
      <td role="presentation" style={{ height: `${pixels}px` }} />
    </tr>
  );
}

/** The height of a row in pixels: `--row` of the style sheet, in rem, which is larger on a narrow screen. */
function rowHeightIn(scroller: HTMLElement | null): number {
  const root = getComputedStyle(document.documentElement);
  const style = scroller === null ? root : getComputedStyle(scroller);
  return Number.parseFloat(style.getPropertyValue("--row")) * Number.parseFloat(root.fontSize);
}

/** Links and buttons handle their own Enter key. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(A|BUTTON|INPUT|SELECT)$/.test(target.tagName);
}

/** Whether the page is being printed. Tables then draw every row. */
const printing = signal(false);

addEventListener("beforeprint", () => (printing.value = true));
addEventListener("afterprint", () => (printing.value = false));
