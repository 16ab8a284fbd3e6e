import { zstdCompressSync } from "node:zlib";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type Column, schemaOf, storedValue, type TableRow } from "./column.ts";

/** Rows of a row group. A reader keeps one row group in memory, the writer the columns of one. */
const GROUP_ROWS = 10_000;

/** Columns by which one Job is found: a Bloom filter spares reading the row groups that do not have it. */
const LOOKED_UP = new Set(["name", "uid", "job_uid"]);

/** Writes one Parquet file in memory, row group by row group. The same rows give the same bytes. */
export class PartWriter {
  readonly #table: readonly Column[];
  readonly #out = new ByteWriter();
  readonly #writer: ParquetWriter;
  #values: unknown[][];
  #waiting = 0;
  #rows = 0;

  constructor(table: readonly Column[]) {
    this.#table = table;
    this.#writer = new ParquetWriter({
      writer: this.#out,
      schema: schemaOf(table),
      codec: "ZSTD",
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: "outlive",
    });
    this.#values = table.map(() => []);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Rows that are not in a row group yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Bytes of the finished row groups. */
  get bytes(): number {
    return this.#out.offset;
  }

  add(row: TableRow): void {
    this.#table.forEach((column, index) => this.#values[index]?.push(storedValue(column, row[column.name])));
    this.#waiting += 1;
    this.#rows += 1;
    if (this.#waiting >= GROUP_ROWS) this.endGroup();
  }

  endGroup(): void {
    if (this.#waiting === 0) return;
    const columnData = this.#table.map(({ name }, index) => ({
      name,
      data: this.#values[index] ?? [],
      ...(LOOKED_UP.has(name) && { bloomFilter: true }),
    }));
    void this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#values = this.#table.map(() => []);
    this.#waiting = 0;
  }

  finish(): Uint8Array {
    this.endGroup();
    void this.#writer.finish();
    return new Uint8Array(this.#out.getBuffer());
  }
}
