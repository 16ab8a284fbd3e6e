import { compareText } from "../../job/model/compare-text.ts";
import { type Column, type TableRow } from "../parquet/column.ts";
import { PartWriter } from "../parquet/part-writer.ts";
import { type ManifestName, partitionPath, partKey, type RowPartition } from "../layout/archive-keys.ts";

/** A finished part. */
export interface FinishedPart {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly rows: number;
}

interface OpenPart {
  readonly partition: RowPartition;
  readonly writer: PartWriter;
}

export interface PartLimits {
  /** The size of the row groups at which a part is finished. The partition then continues in another part. */
  readonly partBytes: number;
  /** The finished row groups of all open parts. The largest part is finished first. */
  readonly openBytes: number;
  /** Rows of all open parts that are not in a row group. The fullest part ends its row group first. */
  readonly waitingRows: number;
}
const LIMITS: PartLimits = { partBytes: 32 << 20, openBytes: 96 << 20, waitingRows: 50_000 };

/**
 * Distributes rows to the parts of their partitions, in bounded memory. The same rows in the same order give the same
 * parts.
 */
export class PartSet {
  readonly #link: ManifestName;
  readonly #limits: PartLimits;
  readonly #open = new Map<string, OpenPart>();
  readonly #splits = new Map<string, number>();
  #waiting = 0;
  #bytes = 0;

  constructor(link: ManifestName, limits: PartLimits = LIMITS) {
    this.#link = link;
    this.#limits = limits;
  }

  /** Adds a row, and yields the parts that had to be finished for it. */
  *add(partition: RowPartition, table: readonly Column[], row: TableRow): Generator<FinishedPart> {
    const path = partitionPath(partition);
    const part = this.#open.get(path) ?? { partition, writer: new PartWriter(table) };
    this.#open.set(path, part);
    this.#counted(part.writer, () => part.writer.add(row));
    const { partBytes, openBytes, waitingRows } = this.#limits;
    if (part.writer.bytes >= partBytes) yield this.#finish(path, part);
    while (this.#waiting >= waitingRows) this.#endFullest();
    while (this.#bytes >= openBytes) yield this.#finishLargest();
  }

  /** Finishes all parts, in order of their partitions. */
  *finish(): Generator<FinishedPart> {
    const open = [...this.#open].sort(([a], [b]) => compareText(a, b));
    for (const [path, part] of open) yield this.#finish(path, part);
  }

  #counted(writer: PartWriter, work: () => void): void {
    const { waiting, bytes } = writer;
    work();
    this.#waiting += writer.waiting - waiting;
    this.#bytes += writer.bytes - bytes;
  }

  #endFullest(): void {
    const [, { writer }] = this.#most(({ waiting }) => waiting);
    this.#counted(writer, () => writer.endGroup());
  }

  #finishLargest(): FinishedPart {
    const [path, part] = this.#most(({ bytes }) => bytes);
    return this.#finish(path, part);
  }

  #most(size: (writer: PartWriter) => number): [string, OpenPart] {
    return [...this.#open].reduce((most, part) => (size(part[1].writer) > size(most[1].writer) ? part : most));
  }

  #finish(path: string, { partition, writer }: OpenPart): FinishedPart {
    this.#counted(writer, () => writer.endGroup());
    this.#bytes -= writer.bytes;
    this.#open.delete(path);
    const split = this.#splits.get(path) ?? 0;
    this.#splits.set(path, split + 1);
    return { key: partKey(partition, this.#link, split), bytes: writer.finish(), rows: writer.rows };
  }
}
