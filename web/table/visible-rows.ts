/** The rows to draw: `first` inclusive to `last` exclusive. */
export interface VisibleRows {
  readonly first: number;
  readonly last: number;
}

/** Additional rows above and below the window, so that fast scrolling shows no empty space. */
const OVERSCAN = 10;

/** Which of `count` rows of equal height are visible in a window. */
export function visibleRows(
  count: number,
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
): VisibleRows {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - OVERSCAN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  return { first, last: Math.max(first, last) };
}
