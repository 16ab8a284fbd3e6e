import { zstdDecompressSync } from "node:zlib";
import type { AsyncBuffer } from "hyparquet";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { TableRow } from "./column.ts";

/** A Parquet object that is read by ranges. */
export interface PartSource {
  readonly store: ObjectStore;
  readonly key: string;
  readonly bytes: number;
}

const compressors = { ZSTD: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes) };

/** Loaded with the first part that is read: most processes read none. */
const parquet = () => import("hyparquet");

/** The number of rows, from the file's footer. Throws PartUnreadableError. */
export async function countRows(source: PartSource): Promise<number> {
  const { parquetMetadataAsync } = await parquet();
  return reading(source, async (file) => Number((await parquetMetadataAsync(file)).num_rows));
}

/** The rows of a part, row group by row group, with all columns or some. Throws PartUnreadableError. */
export async function* readRows(source: PartSource, columns?: readonly string[]): AsyncGenerator<readonly TableRow[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await parquet();
  const metadata = await reading(source, (file) => parquetMetadataAsync(file));
  const options = { metadata, compressors, ...(columns && { columns: [...columns] }) };
  let start = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const end = start + Number(rows);
    const range = { rowStart: start, rowEnd: end };
    yield await reading(source, (file) => parquetReadObjects({ file, ...options, ...range }));
    start = end;
  }
}

export interface WantedRows {
  /** A column with a Bloom filter: row groups without the value are not read. */
  readonly column: string;
  readonly value: string;
}

/** A part of two row groups has a footer of some 10 KB. A longer one takes a second request. */
const FOOTER_BYTES = 32 * 1024;

/** The rows that have a value in a column. Throws PartUnreadableError. */
export async function findRows(source: PartSource, { column, value }: WantedRows): Promise<readonly TableRow[]> {
  const { parquetMetadataAsync, parquetReadObjects } = await parquet();
  const filter = { [column]: { $eq: value } };
  return reading(source, async (file) => {
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: FOOTER_BYTES });
    return parquetReadObjects({ file, metadata, compressors, filter, useBloomFilters: true });
  });
}

/** A part is missing, truncated or no Parquet file. */
export class PartUnreadableError extends Error {
  override readonly name = "PartUnreadableError";

  constructor({ store, key }: PartSource, reason: string, options?: ErrorOptions) {
    super(`Cannot read ${key} of archive ${store.name}: ${reason} Check it with \`outlive archive verify\`.`, options);
  }
}

async function reading<Result>(source: PartSource, work: (file: AsyncBuffer) => Promise<Result>): Promise<Result> {
  const { store, key, bytes } = source;
  const file: AsyncBuffer = {
    byteLength: bytes,
    slice: async (start, end = bytes) => {
      const part = await store.read(key, { start: Math.max(0, start), end: Math.min(bytes, end) });
      if (part === undefined) throw new PartUnreadableError(source, "the object is missing.");
      return part.buffer.slice(part.byteOffset, part.byteOffset + part.byteLength) as ArrayBuffer;
    },
  };
  try {
    return await work(file);
  } catch (cause) {
    // The reader throws plain errors about damaged files; an unavailable store throws its own class.
    if (!(cause instanceof Error) || (cause.name !== "Error" && !(cause instanceof RangeError))) throw cause;
    throw new PartUnreadableError(source, `it is not a whole Parquet file (${cause.message}).`, { cause });
  }
}
