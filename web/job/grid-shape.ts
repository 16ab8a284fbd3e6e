/** Cells of a grid, in pixels and numbers. */
export interface GridShape {
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

const TALLEST = 640;
const LARGEST_CELL = 24;

/** The largest square cells by which `count` of them fit into a width and a bearable height; 100,000 at 700 pixels are 2 pixels each. */
export function gridShape(count: number, width: number): GridShape {
  for (let cell = LARGEST_CELL; ; cell -= 1) {
    const columns = Math.max(1, Math.floor(width / cell));
    const rows = Math.ceil(count / columns);
    if (cell === 1 || rows * cell <= TALLEST) return { cell, columns, rows };
  }
}
