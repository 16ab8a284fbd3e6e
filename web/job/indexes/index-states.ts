import type { Attempt } from "../../../src/explain/answer-document.ts";
import { type IndexSet, parseIndexSet } from "../../../src/job/accounting/index-set.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";

export const INDEX_STATES = ["Pending", "Active", "Succeeded", "Failed"] as const;
export type IndexState = (typeof INDEX_STATES)[number];

/** The state of each completion index: one byte per index, a position in {@link INDEX_STATES}. */
export type IndexCells = Uint8Array<ArrayBuffer>;

const [, ACTIVE, SUCCEEDED, FAILED] = [0, 1, 2, 3] as const;

/** The most indexes that are drawn. Beyond it, one pixel would represent several. */
const MAX_CELLS = 1_000_000;

/** From the status, which contains every finished index, and the active Pods. */
export function indexCells({ spec, status }: JobWithGenerations, attempts: readonly Attempt[]): IndexCells {
  const completions = Math.min(spec.completions ?? 0, MAX_CELLS);
  const cells: IndexCells = new Uint8Array(completions);
  for (const { index, outcome } of attempts) {
    const open = outcome === "Active" || outcome === "Terminating";
    if (open && index !== undefined && index < completions) cells[index] = ACTIVE;
  }
  fill(cells, parseIndexSet(status.failedIndexes ?? "", completions), FAILED);
  fill(cells, parseIndexSet(status.completedIndexes ?? "", completions), SUCCEEDED);
  return cells;
}

function fill(cells: IndexCells, set: IndexSet, state: number): void {
  for (const [first, last] of set) cells.fill(state, first, last + 1);
}

export function stateAt(cells: IndexCells, index: number): IndexState {
  return INDEX_STATES[cells[index] ?? 0] ?? "Pending";
}

export function countStates(cells: IndexCells): Readonly<Record<IndexState, number>> {
  const counts = new Uint32Array(INDEX_STATES.length);
  for (const cell of cells) counts[cell] = (counts[cell] ?? 0) + 1;
  const [Pending = 0, Active = 0, Succeeded = 0, Failed = 0] = counts;
  return { Pending, Active, Succeeded, Failed };
}

/** The indexes in a state, in order; all indexes if `state` is undefined. */
export function indexesIn(cells: IndexCells, state: IndexState | undefined): readonly number[] {
  const indexes: number[] = [];
  for (let index = 0; index < cells.length; index += 1) {
    if (state === undefined || stateAt(cells, index) === state) indexes.push(index);
  }
  return indexes;
}
