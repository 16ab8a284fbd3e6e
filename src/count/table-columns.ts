import * as v from "valibot";
import { isState, type State, STATES } from "../job/model/states.ts";
import { VarintReader, VarintWriter } from "../projection/job-state/varint.ts";
import { type CellName, CountTable, NO_SUMS, type Sum, SUMS } from "./count-table.ts";
import type { CountCell } from "../ports/sums/job-sums.ts";

/** The names in a table, each once. Cells have their indexes. */
const names = v.object({
  namespaces: v.array(v.string()),
  groups: v.array(v.string()),
  findings: v.array(v.string()),
  states: v.array(v.custom<State>((text) => typeof text === "string" && isState(text), "Not a state")),
});
type Names = v.InferOutput<typeof names>;

/**
 * A number per cell and column. Numbers of one kind stand together, because similar bytes compress best:
 * - `cells`: the name of each cell, as the distance of its indexes to those of the cell before it.
 * - `sums`: the sums of each cell. Those of most Pods are those of its Jobs, so they are stored as the difference.
 * - `buckets`: how many buckets of durations a cell has, and each as the distance to the one before it.
 * - `durations`: the Jobs of each bucket.
 */
interface Columns<Each> {
  readonly cells: Each;
  readonly sums: Each;
  readonly buckets: Each;
  readonly durations: Each;
}

/** Sums that usually equal the number of Jobs. */
const LIKE_JOBS: ReadonlySet<Sum> = new Set<Sum>(["podsSeen", "podsSucceeded"]);

/** A table as bytes: its names, then its columns. Equal tables have equal bytes. */
export function encodeColumns(table: CountTable): Uint8Array {
  const cells = table.cells();
  const used = namesOf(cells);
  const indexOf = indexesIn(used);
  const columns = columnsOf(() => new VarintWriter());
  columns.cells.unsigned(cells.length);
  let before: readonly number[] = [0, 0, 0, 0];
  for (const cell of cells) {
    const indexes = indexOf(cell);
    for (const [at, index] of indexes.entries()) columns.cells.signed(index - (before[at] ?? 0));
    before = indexes;
    for (const sum of SUMS) columns.sums.signed(LIKE_JOBS.has(sum) ? cell[sum] - cell.jobs : cell[sum]);
    writeDurations(columns, cell.durations);
  }
  const writer = new VarintWriter().text(JSON.stringify(used));
  for (const column of inOrder(columns)) writer.block(column.finish());
  return writer.finish();
}

/** The inverse of {@link encodeColumns}. Throws RangeError, SyntaxError or ValiError where the bytes are damaged. */
export function decodeColumns(bytes: Uint8Array): CountTable {
  const reader = new VarintReader(bytes);
  const used = v.parse(names, JSON.parse(reader.text()));
  const columns = columnsOf(() => new VarintReader(reader.block()));
  const table = new CountTable();
  let indexes: readonly number[] = [0, 0, 0, 0];
  for (let left = columns.cells.unsigned(); left > 0; left -= 1) {
    indexes = indexes.map((index) => index + columns.cells.signed());
    table.add({ ...nameAt(used, indexes), ...readSums(columns.sums), durations: readDurations(columns) });
  }
  return table;
}

/** Makes each column, in the order in which they are stored. */
function columnsOf<Each>(make: () => Each): Columns<Each> {
  return { cells: make(), sums: make(), buckets: make(), durations: make() };
}

function inOrder<Each>({ cells, sums, buckets, durations }: Columns<Each>): readonly Each[] {
  return [cells, sums, buckets, durations];
}

function namesOf(cells: readonly CountCell[]): Names {
  return {
    namespaces: distinct(cells.map(({ namespace }) => namespace)),
    groups: distinct(cells.map(({ group }) => group)),
    findings: distinct(cells.map(({ findings }) => findings)),
    states: statesOf(cells),
  };
}

function statesOf(cells: readonly CountCell[]): State[] {
  const used = new Set(cells.map(({ state }) => state));
  return STATES.filter((state) => used.has(state));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

/** A linear search in the list of names would be quadratic: a cluster may send Jobs with any number of owners. */
function indexesIn({ namespaces, groups, states, findings }: Names): (cell: CountCell) => readonly number[] {
  const [ofNamespace, ofGroup, ofState, ofFindings] = [namespaces, groups, states, findings].map(
    (texts) => new Map<string, number>(texts.map((text, index) => [text, index])),
  );
  return (cell) => [
    ofNamespace?.get(cell.namespace) ?? 0,
    ofGroup?.get(cell.group) ?? 0,
    ofState?.get(cell.state) ?? 0,
    ofFindings?.get(cell.findings) ?? 0,
  ];
}

function nameAt(used: Names, [namespace = -1, group = -1, state = -1, findings = -1]: readonly number[]): CellName {
  return {
    namespace: textAt(used.namespaces, namespace),
    group: textAt(used.groups, group),
    state: textAt(used.states, state),
    findings: textAt(used.findings, findings),
  };
}

function textAt<Text extends string>(texts: readonly Text[], index: number): Text {
  const text = texts[index];
  if (text === undefined) {
    throw new RangeError(`The table of counts is damaged: a cell refers to name ${index} of ${texts.length}.`);
  }
  return text;
}

function readSums(column: VarintReader): Record<Sum, number> {
  const jobs = column.signed();
  const others = SUMS.slice(1).map((sum) => [sum, column.signed() + (LIKE_JOBS.has(sum) ? jobs : 0)] as const);
  return { ...NO_SUMS, ...Object.fromEntries(others), jobs };
}

function writeDurations(columns: Columns<VarintWriter>, durations: ReadonlyMap<number, number>): void {
  columns.buckets.unsigned(durations.size);
  let before = 0;
  for (const [bucket, jobs] of [...durations].sort(([a], [b]) => a - b)) {
    columns.buckets.signed(bucket - before);
    columns.durations.signed(jobs);
    before = bucket;
  }
}

function readDurations(columns: Columns<VarintReader>): ReadonlyMap<number, number> {
  const durations = new Map<number, number>();
  let bucket = 0;
  for (let left = columns.buckets.unsigned(); left > 0; left -= 1) {
    bucket += columns.buckets.signed();
    durations.set(bucket, columns.durations.signed());
  }
  return durations;
}
