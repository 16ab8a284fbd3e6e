import { type Brush, Canvas } from "../../shell/canvas.tsx";
import { colourOf } from "../../shell/colours.ts";
import { strokeCross } from "../../shell/shapes.ts";
import { plural } from "../../text/plural.ts";
import { gridShape } from "./grid-shape.ts";
import { countStates, INDEX_STATES, type IndexCells, stateAt } from "./index-states.ts";

interface IndexGridProps {
  readonly cells: IndexCells;
  readonly onPoint: (index: number | undefined) => void;
}

/** Every index of a Job as a cell, row by row. */
export function IndexGrid({ cells, onPoint }: IndexGridProps) {
  const counts = countStates(cells);
  const summary = INDEX_STATES.map((state) => `${counts[state]} ${state}`).join(", ");
  return (
    <Canvas
      label={`Grid of ${plural(cells.length, "index", "indexes")}: ${summary}. The table beside it lists each of them.`}
      heightFor={(width) => {
        const { rows, cell } = gridShape(cells.length, width);
        return rows * cell;
      }}
      draw={(brush) => drawGrid(brush, cells)}
      of={[cells]}
      onPoint={(point) => {
        if (point === undefined) return onPoint(undefined);
        const { cell, columns } = gridShape(cells.length, point.width);
        const index = Math.floor(point.y / cell) * columns + Math.min(columns - 1, Math.floor(point.x / cell));
        onPoint(index < cells.length ? index : undefined);
      }}
    />
  );
}

/** Neighbours in the same state are one rectangle: 100,000 successful indexes are a few hundred rectangles. */
function drawGrid({ context, width }: Brush, cells: IndexCells): void {
  const { cell, columns } = gridShape(cells.length, width);
  const gap = cell >= 5 ? 1 : 0;
  const colours = [colourOf("heat-0"), colourOf("bar-running"), colourOf("bar-complete"), colourOf("bar-failed")];
  const mark = colourOf("text");
  for (let index = 0; index < cells.length;) {
    const [x, y] = [(index % columns) * cell, Math.floor(index / columns) * cell];
    const run = gap > 0 ? 1 : runLength(cells, index, columns);
    context.fillStyle = colours[cells[index] ?? 0] ?? "";
    context.fillRect(x, y, run * cell - gap, cell - gap);
    if (cell >= 8 && stateAt(cells, index) === "Failed") {
      // A failed index also has a shape, if there is room for it.
      context.strokeStyle = mark;
      const size = cell - gap;
      strokeCross(context, { x: x + size * 0.3, y: y + size * 0.3, width: size * 0.4, height: size * 0.4 });
    }
    index += run;
  }
}

/** How many cells of this row, from here on, have the same state. */
function runLength(cells: IndexCells, from: number, columns: number): number {
  const rowEnd = Math.min(cells.length, (Math.floor(from / columns) + 1) * columns);
  let end = from + 1;
  while (end < rowEnd && cells[end] === cells[from]) end += 1;
  return end - from;
}
