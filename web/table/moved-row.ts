export interface TablePosition {
  readonly row: number;
  readonly rowCount: number;
  /** How many rows are visible at once. */
  readonly pageSize: number;
}

/** The row that a key moves to; `undefined` if the key does not move. */
export function movedRow(key: string, position: TablePosition): number | undefined {
  const target = targetRow(key, position);
  return target === undefined ? undefined : Math.max(0, Math.min(position.rowCount - 1, target));
}

function targetRow(key: string, { row, rowCount, pageSize }: TablePosition): number | undefined {
  switch (key) {
    case "ArrowDown":
    case "j":
      return row + 1;
    case "ArrowUp":
    case "k":
      return row - 1;
    case "PageDown":
      return row + pageSize;
    case "PageUp":
      return row - pageSize;
    case "Home":
      return 0;
    case "End":
      return rowCount - 1;
  }
  return undefined;
}
