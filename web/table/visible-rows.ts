/** The rows that are drawn: `first` inclusive to `last` exclusive. */
export interface VisibleRows {
  readonly first: number;
  readonly last: number;
}

/** Rows above and below the window, so that a quick scroll shows no holes. */
const BEYOND = 10;

/** Which of `count` rows of equal height a window shows. */
export function visibleRows(
  count: number,
  { top, height }: { readonly top: number; readonly height: number },
  rowHeight: number,
): VisibleRows {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - BEYOND);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND);
  return { first, last: Math.max(first, last) };
}
