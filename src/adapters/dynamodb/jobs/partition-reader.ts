import { compareText } from "../../../job/model/compare-text.ts";
import { type Item, textOf } from "../attribute.ts";
import { type DynamoTable, queryPage } from "../dynamo-table.ts";
import { JOB_INDEXES, type JobIndex } from "../../../ports/deployment/tables.ts";

/** A list of Jobs: partitions of an index, each sorted. */
export interface JobList {
  readonly index: JobIndex;
  readonly partitions: readonly string[];
}

/** An entry of an index: the position of a Job in a list. */
export interface Entry {
  readonly pk: string;
  readonly created: string;
}

/** Which entries to read of the merged partitions. */
export interface EntryRange {
  /** Exclusive, in the order of the list. */
  readonly start?: Entry | undefined;
  readonly limit: number;
  readonly backwards: boolean;
  /** How many entries to read of a partition at once. @default its share of the limit, and some more */
  readonly pageSizeOf?: (partition: string) => number;
}

/** The first entries of a list, merged from its partitions, and whether more follow. */
export async function mergeEntries(
  table: DynamoTable,
  { index, partitions }: JobList,
  { start, limit, backwards, pageSizeOf = () => shareOf(limit, partitions.length) }: EntryRange,
): Promise<{ readonly entries: readonly Entry[]; readonly isMore: boolean }> {
  const readers = partitions.map(
    (partition) => new PartitionReader(table, { index, partition, backwards, pageSize: pageSizeOf(partition), start }),
  );
  await Promise.all(readers.map((reader) => reader.fill()));
  const entries: Entry[] = [];
  for (;;) {
    const first = firstOf(readers, backwards);
    if (first === undefined || entries.length === limit) return { entries, isMore: first !== undefined };
    entries.push(first.take());
    await first.fill();
  }
}

/**
 * Entries per partition, so that a page rarely needs a second query: uids are distributed evenly. One more shows
 * whether more follow.
 */
export function shareOf(limit: number, partitions: number): number {
  return partitions === 1 ? limit + 1 : Math.min(limit + 1, Math.ceil((1.3 * limit) / partitions) + 2);
}

const MAX_GROWTH = 4;

/** The partition with the next entry in order; `undefined` at the end of all. */
function firstOf(readers: readonly PartitionReader[], backwards: boolean): PartitionReader | undefined {
  let first: PartitionReader | undefined;
  for (const reader of readers) {
    if (reader.head !== undefined && (first?.head === undefined || isBefore(reader.head, first.head, backwards))) {
      first = reader;
    }
  }
  return first;
}

function isBefore(a: Entry, b: Entry, backwards: boolean): boolean {
  return compareEntries(a, b) * (backwards ? -1 : 1) < 0;
}

/** In the order of the index. Jobs of different clusters can have the same uid: then the cluster decides. */
function compareEntries(a: Entry, b: Entry): number {
  return compareText(a.created, b.created) || compareText(a.pk, b.pk);
}

interface PartitionStart {
  readonly index: JobIndex;
  readonly partition: string;
  readonly backwards: boolean;
  readonly pageSize: number;
  readonly start: Entry | undefined;
}

/**
 * Reads one partition of an index in pages. In the lists of all clusters, entries can have the same sort key, and
 * DynamoDB returns them in an order of its own. They are sorted when all of them are read.
 */
class PartitionReader {
  readonly #table: DynamoTable;
  readonly #from: PartitionStart;
  /**
   * Sorted entries, ready from `#next` on. Entries with the last sort key wait in `#open` until all of that key are
   * read.
   */
  #entries: readonly Entry[] = [];
  #open: readonly Entry[] = [];
  #next = 0;
  #startKey: Item | undefined;
  #isMore = true;
  #growth = 1;

  constructor(table: DynamoTable, from: PartitionStart) {
    this.#table = table;
    this.#from = from;
  }

  /** The next entry; `undefined` at the end of the partition. */
  get head(): Entry | undefined {
    return this.#entries[this.#next];
  }

  take(): Entry {
    const { head } = this;
    if (head === undefined) {
      throw new RangeError("Cannot take an entry of the index: the partition is at its end. Read `head` first.");
    }
    this.#next += 1;
    return head;
  }

  /** Reads the next page when the current one is used up. */
  async fill(): Promise<void> {
    while (this.head === undefined && this.#isMore) {
      const page = await this.#readPage();
      const read = page.items.map((item) => ({ pk: textOf(item, "pk"), created: textOf(item, "createdSk") }));
      this.#startKey = page.last;
      this.#isMore = page.isMore;
      this.#next = 0;
      if (this.#hasTies) this.#take([...this.#open, ...read]);
      else this.#entries = read;
    }
  }

  get #hasTies(): boolean {
    return this.#from.index === "wide";
  }

  #take(entries: readonly Entry[]): void {
    const { start, backwards } = this.#from;
    const last = entries.at(-1)?.created;
    const isReady = ({ created }: Entry) => !this.#isMore || created !== last;
    this.#open = entries.filter((entry) => !isReady(entry));
    this.#entries = entries
      .filter((entry) => isReady(entry) && (start === undefined || isBefore(start, entry, backwards)))
      .toSorted((a, b) => compareEntries(a, b) * (backwards ? -1 : 1));
  }

  /** A partition that is read further has more entries of the list than others, so its pages grow. */
  #readPage() {
    const { index, partition, backwards, start } = this.#from;
    const pageSize = this.#from.pageSize * this.#growth;
    this.#growth = Math.min(2 * this.#growth, MAX_GROWTH);
    const { partitionKey, sortKey } = JOB_INDEXES[index];
    const range = { index, partitionKey, sortKey, partition, backwards, startKey: this.#startKey };
    const isInclusive = this.#hasTies;
    // Entries can share a sort key. So the entry at the start is read again, and the last one waits for the next page.
    return queryPage(this.#table, { ...range, after: start?.created, isInclusive }, pageSize + (isInclusive ? 1 : 0));
  }
}
