import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync, zstdDecompressSync } from "node:zlib";
import { DatabaseSync } from "node:sqlite";
import { parquetReadObjects } from "hyparquet";
import { decodeSegmentFile } from "../../../src/archive/layout/segment-file.ts";
import { readPackedJson } from "../../../src/ports/sums/packed-text.ts";
import { decodeJobState, type JobState } from "../../../src/projection/job-state/job-state.ts";
import { unpackSummary } from "../../../src/projection/job-state/summary-bytes.ts";
import { unwrap } from "../../../src/segment/envelope.ts";
import { entriesOf } from "../../../src/upkeep/replay/spread/spread-objects.ts";

/** Where a text was found: the file or table, and how it was encoded there. */
interface Found {
  readonly where: string;
  readonly text: string;
}

/** Bytes as every decoder of the product reads them, besides the bytes themselves: stored texts are compressed. */
async function* readings(bytes: Uint8Array): AsyncGenerator<Buffer> {
  const base64 = Buffer.from(bytes)
    .toString("latin1")
    .replaceAll(/[^A-Za-z0-9+/=_-]+/g, "\n");
  for (const word of base64.split("\n")) {
    if (word.length >= 40) yield* unpacked(Buffer.from(word, "base64"));
    const packed = readPackedJson(word);
    if (packed !== undefined) yield Buffer.from(JSON.stringify(packed));
  }
  yield* unpacked(bytes);
  const file = decodeSegmentFile(bytes);
  if (file.outcome === "decoded") for (const segment of file.segments) yield* readings(segment.bytes);
  const rows = await parquetRows(bytes);
  if (rows !== undefined) yield Buffer.from(rows);
  const inflated = attempt(() => inflateRawSync(bytes));
  if (inflated !== undefined) yield inflated;
  const partials = attempt(() => partialStates(bytes));
  if (partials !== undefined) yield Buffer.from(partials);
  const summary = attempt(() => unpackSummary(bytes));
  if (summary !== undefined) yield Buffer.from(JSON.stringify(summary));
}

/** An object of a replay. Throws for other bytes. */
function partialStates(bytes: Uint8Array): string {
  const states = [...entriesOf(bytes)].map(([{ jobUid }, state]) => wholeJob(decodeJobState(jobUid, state)));
  return JSON.stringify(states);
}

function wholeJob(state: JobState) {
  return state.layout === "inline" ? [state.record.job, ...state.record.pods.values()] : [state.job];
}

/** Bytes of a record, a segment or a state. */
function* unpacked(bytes: Uint8Array): Generator<Buffer> {
  yield Buffer.from(bytes);
  const unwrapped = unwrap(bytes);
  if (unwrapped.outcome === "unwrapped") yield Buffer.from(unwrapped.text);
}

async function parquetRows(bytes: Uint8Array): Promise<string | undefined> {
  if (Buffer.from(bytes.subarray(0, 4)).toString("latin1") !== "PAR1") return undefined;
  const file = {
    byteLength: bytes.length,
    slice: (from: number, to?: number) => Uint8Array.from(bytes.subarray(from, to)).buffer,
  };
  const compressors = { ZSTD: (packed: Uint8Array): Uint8Array => zstdDecompressSync(packed) };
  const rows = await parquetReadObjects({ file, compressors });
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The texts that bytes have, in any encoding. */
export async function textsIn(bytes: Uint8Array, texts: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const reading of readings(bytes)) {
    for (const text of texts) if (reading.includes(text)) found.add(text);
  }
  return [...found].sort();
}

/** Searches every file of a folder, and every value of every table of the databases among them. */
export async function searchFolder(folder: string, texts: readonly string[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const named = texts.filter((text) => name.includes(text));
    const bytes = readFileSync(path);
    // The values of a database are read row by row; its file also has what was deleted.
    const isDatabase = bytes.subarray(0, 15).toString("latin1") === "SQLite format 3";
    const inside = isDatabase ? texts.filter((text) => bytes.includes(text)) : await textsIn(bytes, texts);
    for (const text of new Set([...named, ...inside])) found.push({ where: name, text });
    if (isDatabase) found.push(...(await searchDatabase(path, texts)));
  }
  return found;
}

/** Searches every value of every table. */
async function searchDatabase(path: string, texts: readonly string[]): Promise<readonly Found[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const found: Found[] = [];
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).all()) {
        for (const text of await textsInRow(row, texts)) found.push({ where: `table ${String(name)}`, text });
      }
    }
  } finally {
    database.close();
  }
  return found;
}

async function textsInRow(row: Readonly<Record<string, unknown>>, texts: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const value of Object.values(row)) {
    const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
    for (const text of await textsIn(bytes, texts)) found.add(text);
  }
  return found;
}

/** The stores in which a text was found. */
export function storesWith(found: readonly Found[]): readonly string[] {
  return [...new Set(found.map(({ where }) => where.replace(/\/.*/, "")))].sort();
}
