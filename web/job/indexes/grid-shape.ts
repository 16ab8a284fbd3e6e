/** The size of a cell in pixels, and the number of columns and rows. */
export interface GridShape {
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

const MAX_HEIGHT = 640;
const MAX_CELL = 24;

/** The largest square cells with which `count` of them fit; 100,000 on 700 pixels are 2 pixels each. */
export function gridShape(count: number, width: number): GridShape {
  for (let cell = MAX_CELL; ; cell -= 1) {
    const columns = Math.max(1, Math.floor(width / cell));
    const rows = Math.ceil(count / columns);
    if (cell === 1 || rows * cell <= MAX_HEIGHT) return { cell, columns, rows };
  }
}
