import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as v from "valibot";
import { isState, type State, STATES } from "../job/model/states.ts";
import { type CountCell, CountTable, type Sum, SUMS } from "./count-table.ts";

/** The first character names the format: JSON, compressed, in base64. */
const DEFLATE_V1 = "1";
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const integer = v.pipe(v.number(), v.integer());
const stored = v.object({
  namespaces: v.array(v.string()),
  groups: v.array(v.string()),
  findings: v.array(v.string()),
  states: v.array(v.custom<State>((text) => typeof text === "string" && isState(text), "Not a state")),
  /**
   * Indexes of namespace, group, state and findings; buckets of durations in pairs, each bucket as the distance to the
   * one before; the sums, without zeros at the end.
   */
  cells: v.array(v.tuple([integer, integer, integer, integer, v.array(integer), v.array(integer)])),
});
type Stored = v.InferOutput<typeof stored>;

/** A table as text. Equal tables have equal texts. */
export function packTable(table: CountTable): string {
  const cells = table.cells();
  const names = {
    namespaces: distinct(cells.map(({ namespace }) => namespace)),
    groups: distinct(cells.map(({ group }) => group)),
    findings: distinct(cells.map(({ findings }) => findings)),
    states: STATES.filter((state) => cells.some((cell) => cell.state === state)),
  };
  const value: Stored = {
    ...names,
    cells: cells.map((cell) => [
      names.namespaces.indexOf(cell.namespace),
      names.groups.indexOf(cell.group),
      names.states.indexOf(cell.state),
      names.findings.indexOf(cell.findings),
      packDurations(cell.durations),
      withoutZeros(SUMS.map((sum) => cell[sum])),
    ]),
  };
  return DEFLATE_V1 + deflateRawSync(JSON.stringify(value), { level: 9 }).toString("base64");
}

/** The inverse of {@link packTable}; `undefined` if the text is damaged or of a later release. */
export function unpackTable(text: string): CountTable | undefined {
  if (!text.startsWith(DEFLATE_V1)) return undefined;
  const read = v.safeParse(stored, parsed(Buffer.from(text.slice(1), "base64")));
  if (!read.success) return undefined;
  return CountTable.of(read.output.cells.map((cell) => unpackCell(read.output, cell)));
}

function unpackCell(
  names: Stored,
  [namespace, group, state, findings, durations, sums]: Stored["cells"][0],
): CountCell {
  return {
    ...unpackSums(sums),
    namespace: names.namespaces[namespace] ?? "",
    group: names.groups[group] ?? "",
    state: names.states[state] ?? "Unknown",
    findings: names.findings[findings] ?? "",
    durations: unpackDurations(durations),
  };
}

/** In the order of SUMS. */
function unpackSums(sums: readonly number[]): Record<Sum, number> {
  const [jobs = 0, podsSeen = 0, podsSucceeded = 0, podsFailed = 0, ...rest] = sums;
  const [attention = 0, jobsAgain = 0, needlessRuns = 0, needlessMillis = 0] = rest;
  return { jobs, podsSeen, podsSucceeded, podsFailed, attention, jobsAgain, needlessRuns, needlessMillis };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function withoutZeros(numbers: readonly number[]): number[] {
  return numbers.slice(0, numbers.findLastIndex((number) => number !== 0) + 1);
}

function packDurations(durations: ReadonlyMap<number, number>): number[] {
  let last = 0;
  return [...durations]
    .sort(([a], [b]) => a - b)
    .flatMap(([bucket, count]) => {
      const distance = bucket - last;
      last = bucket;
      return [distance, count];
    });
}

function unpackDurations(packed: readonly number[]): ReadonlyMap<number, number> {
  const durations = new Map<number, number>();
  let bucket = 0;
  for (let at = 0; at + 1 < packed.length; at += 2) {
    bucket += packed[at] ?? 0;
    durations.set(bucket, packed[at + 1] ?? 0);
  }
  return durations;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(inflateRawSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }).toString());
  } catch (cause) {
    // zlib's errors have a code, those of JSON.parse are SyntaxErrors.
    if (cause instanceof SyntaxError || (cause instanceof Error && "code" in cause)) return undefined;
    throw cause;
  }
}
