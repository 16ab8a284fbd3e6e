import type { CountCell } from "../ports/sums/job-sums.ts";

/** The sums of a cell, in the order in which they are stored. */
export const SUMS = [
  "jobs",
  "podsSeen",
  "podsSucceeded",
  "podsFailed",
  "attention",
  "jobsAgain",
  "needlessRuns",
  "needlessMillis",
] as const;
export type Sum = (typeof SUMS)[number];

export const NO_SUMS: Readonly<Record<Sum, number>> = {
  jobs: 0,
  podsSeen: 0,
  podsSucceeded: 0,
  podsFailed: 0,
  attention: 0,
  jobsAgain: 0,
  needlessRuns: 0,
  needlessMillis: 0,
};

/** The fields in which cells differ. */
export type CellName = Pick<CountCell, "namespace" | "group" | "state" | "findings">;

interface Sums {
  readonly name: CellName;
  readonly sums: Record<Sum, number>;
  readonly durations: Map<number, number>;
}

/**
 * Counts of Jobs that can be added and subtracted. A table may also be a difference: then its numbers can be negative.
 * A cell whose numbers are all zero is equivalent to no cell.
 */
export class CountTable {
  readonly #cells = new Map<string, Sums>();

  static of(cells: Iterable<CountCell>): CountTable {
    const table = new CountTable();
    for (const cell of cells) table.add(cell);
    return table;
  }

  add(cell: CountCell, times = 1): void {
    const id = [cell.namespace, cell.group, cell.state, cell.findings].join("\n");
    const into = this.#cells.get(id) ?? emptySums(cell);
    for (const sum of SUMS) into.sums[sum] += times * cell[sum];
    for (const [bucket, count] of cell.durations) addTo(into.durations, bucket, times * count);
    if (isZero(into)) this.#cells.delete(id);
    else this.#cells.set(id, into);
  }

  /** Adds a table, or subtracts it: `times` is 1 or -1. */
  addTable(other: CountTable, times = 1): void {
    for (const cell of other.cells()) this.add(cell, times);
  }

  /** The sum of the cells that `rename` gives the same name. */
  renamed(rename: (cell: CountCell) => Pick<CountCell, "namespace" | "group">): CountTable {
    return CountTable.of(this.cells().map((cell) => ({ ...cell, ...rename(cell) })));
  }

  /** The cells in the order of their names. */
  cells(): readonly CountCell[] {
    const sorted = [...this.#cells].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { name, sums, durations }]) => ({ ...name, ...sums, durations: new Map(durations) }));
  }

  get isEmpty(): boolean {
    return this.#cells.size === 0;
  }

  get jobs(): number {
    return [...this.#cells.values()].reduce((total, { sums }) => total + sums.jobs, 0);
  }
}

function emptySums({ namespace, group, state, findings }: CellName): Sums {
  return { name: { namespace, group, state, findings }, sums: { ...NO_SUMS }, durations: new Map() };
}

function addTo(counts: Map<number, number>, bucket: number, count: number): void {
  const sum = (counts.get(bucket) ?? 0) + count;
  if (sum === 0) counts.delete(bucket);
  else counts.set(bucket, sum);
}

function isZero({ sums, durations }: Sums): boolean {
  return durations.size === 0 && SUMS.every((sum) => sums[sum] === 0);
}
