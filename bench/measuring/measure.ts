/**
 * One figure. `goal` is the expected value in the figure's unit: "<= 90", ">= 500000". Absent for figures that only
 * inform.
 */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: string;
}

/** Prints the figures of a benchmark: a table, or `{ "measures": [...] }` with `--output json`. */
export function report(measures: readonly Measure[]): void {
  if (process.argv.includes("json")) console.log(JSON.stringify({ measures }));
  else console.log(formatMeasures(measures));
}

export function formatMeasures(measures: readonly Measure[]): string {
  const rows = measures.map(({ name, value, unit, goal }) => [
    name,
    shown(value),
    unit,
    goal ?? "",
    verdict(value, goal),
  ]);
  const table = [["MEASURE", "VALUE", "UNIT", "GOAL", ""], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * The median of an odd number of timings: on a shared machine a single run is unreliable, and the best one is too
 * optimistic.
 */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function shown(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

function verdict(value: number, goal: string | undefined): string {
  if (goal === undefined) return "";
  const [comparison, bound] = goal.split(" ");
  const holds = comparison === "<=" ? value <= Number(bound) : value >= Number(bound);
  return holds ? "" : "missed";
}
