import { inflateRawSync } from "node:zlib";
import * as v from "valibot";
import { isState, type State } from "../job/model/states.ts";
import { CountTable, type Sum } from "./count-table.ts";
import type { CountCell } from "../ports/sums/job-sums.ts";
import { decompressed, MOST_BYTES, packText, unpackText } from "../ports/sums/packed-text.ts";
import { decodeColumns, encodeColumns } from "./table-columns.ts";

/**
 * The first character names the format. Columns of numbers with Brotli take about two thirds of JSON with Deflate,
 * which earlier versions of Outlive wrote.
 */
const BROTLI_V2 = "2";
const DEFLATE_V1 = "1";

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
  return packText(BROTLI_V2, encodeColumns(table));
}

/** The inverse of {@link packTable}; `undefined` if the text is damaged or of a later release. */
export function unpackTable(text: string): CountTable | undefined {
  return unpackText(text, {
    [BROTLI_V2]: (bytes) => decodeColumns(decompressed(bytes)),
    [DEFLATE_V1]: tableOfJson,
  });
}

function tableOfJson(bytes: Uint8Array): CountTable {
  const read = v.parse(stored, JSON.parse(inflateRawSync(bytes, { maxOutputLength: MOST_BYTES }).toString()));
  return CountTable.of(read.cells.map((cell) => unpackCell(read, cell)));
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

function unpackDurations(packed: readonly number[]): ReadonlyMap<number, number> {
  const durations = new Map<number, number>();
  let bucket = 0;
  for (let at = 0; at + 1 < packed.length; at += 2) {
    bucket += packed[at] ?? 0;
    durations.set(bucket, packed[at + 1] ?? 0);
  }
  return durations;
}
