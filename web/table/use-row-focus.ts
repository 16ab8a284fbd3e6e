import { type RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface RowFocus {
  /** The row that the Tab key reaches. */
  readonly active: number;
  readonly setActive: (row: number) => void;
  /** Scrolls to a row and focuses it as soon as it is drawn. */
  readonly focusRow: (row: number) => void;
}

/** Keeps the focus on a row of a table that draws only visible rows. */
export function useRowFocus(scroller: RefObject<HTMLElement | null>, rowHeight: number): RowFocus {
  const [active, setActive] = useState(0);
  const pending = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (pending.current === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${pending.current + 2}"]`);
    if (row === null || row === undefined) return;
    pending.current = undefined;
    row.focus({ preventScroll: true });
  });
  const focusRow = (row: number): void => {
    setActive(row);
    pending.current = row;
    scrollToRow(scroller.current, row, rowHeight);
  };
  return { active, setActive, focusRow };
}

function scrollToRow(scroller: HTMLElement | null, row: number, rowHeight: number): void {
  if (scroller === null) return;
  // The sticky header covers the height of one row.
  const [top, bottom] = [row * rowHeight, (row + 2) * rowHeight];
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
}
