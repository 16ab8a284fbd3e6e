import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Column } from "./column.ts";
import { movedRow } from "./moved-row.ts";
import { printing } from "./printing.ts";
import { useWindow } from "./use-window.ts";
import { visibleRows } from "./visible-rows.ts";

export interface VirtualTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly height: "tall" | "page-tall";
}

/** --row of tokens.css, in rem. */
const ROW_HEIGHT = 1.875;

/** A table of any number of rows of which only those in observation are in the document; rows are walked by keys, one of them in the tab order. */
export function VirtualTable<Row>({ label, rows, columns, keyOf, onOpen, height }: VirtualTableProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useWindow(scroller);
  const [active, setActive] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  const rowHeight = ROW_HEIGHT * rootSize();
  const { first, last } = printing.value
    ? { first: 0, last: Math.min(rows.length, MOST_PRINTED) }
    : visibleRows(rows.length, shown, rowHeight);
  const inTabOrder = active >= first && active < last ? active : first;

  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${wanted.current + 2}"]`);
    if (row === null || row === undefined) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });

  const moveTo = (index: number): void => {
    setActive(index);
    wanted.current = index;
    reveal(scroller.current, index, rowHeight);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return;
    const to = movedRow(event.key, inTabOrder, rows.length, Math.floor(shown.height / rowHeight) - 1);
    const row = rows[inTabOrder];
    if (to !== undefined) moveTo(to);
    else if (event.key === "Enter" && row !== undefined && onOpen !== undefined) onOpen(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class={`scroll virtual ${height}`} ref={scroller}>
      <table role="grid" aria-label={label} aria-rowcount={rows.length + 1} onKeyDown={onKeyDown}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ header, class: css }) => (
              <th key={header} scope="col" class={css}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer pixels={first * rowHeight} />
          {rows.slice(first, last).map((row, offset) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={first + offset + 2}
              tabIndex={first + offset === inTabOrder ? 0 : -1}
              onFocus={() => setActive(first + offset)}
              onDblClick={() => onOpen?.(row)}
            >
              {columns.map((column) => (
                <td key={column.header} class={column.class}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer pixels={(rows.length - last) * rowHeight} />
        </tbody>
      </table>
    </div>
  );
}

/** Paper has an end. */
const MOST_PRINTED = 2_000;

/** Stands for the rows that are not drawn. Browsers draw elements up to some 30 million pixels tall: a million rows of 30. */
function Spacer({ pixels }: { readonly pixels: number }) {
  return pixels <= 0 ? null : (
    <tr class="spacer" role="presentation">
      <td role="presentation" style={{ height: `${pixels}px` }} />
    </tr>
  );
}

function reveal(scroller: HTMLElement | null, index: number, rowHeight: number): void {
  if (scroller === null) return;
  // The header sticks over the first row's height.
  const [top, bottom] = [index * rowHeight, (index + 2) * rowHeight];
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
}

function rootSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Enter on a link or a button is theirs. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(A|BUTTON|INPUT|SELECT)$/.test(target.tagName);
}
