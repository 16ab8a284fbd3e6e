import type { JobUid } from "../../job/model/ids.ts";
import type { Retry } from "../../concurrency/retry.ts";
import type { JobPage, ListOptions } from "../../ports/jobs.ts";
import { type Item, textOf } from "../attribute.ts";
import { batchGet } from "../batch-get.ts";
import { decodeCreated, encodeCreated } from "./created-key.ts";
import { type DynamoTable, queryPage } from "../dynamo-table.ts";
import { ROW_ATTRIBUTES, STATE_ATTRIBUTES, toRow, toState } from "./job-item.ts";
import { JOB_INDEXES, type JobIndex } from "../../deployment/tables.ts";

/** A list of Jobs: partitions of an index, each sorted. */
export interface JobList {
  readonly index: JobIndex;
  readonly partitions: readonly string[];
}

/** An entry of an index: the position of a Job in a list. */
interface Entry {
  readonly pk: string;
  readonly created: string;
}

/**
 * One page of a list: its entries merged from their partitions, then the rows of their states. An index lags its table
 * by milliseconds, so an entry may be outdated. Its Job is still returned, because a Job must not be missing from every
 * list. A Job that DynamoDB has just deleted makes its page shorter.
 */
export async function readList(
  table: DynamoTable,
  list: JobList,
  { options, retry }: { readonly options: ListOptions; readonly retry: Retry },
): Promise<JobPage> {
  const { entries, isMore } = await mergeEntries(table, list, options);
  const keys = entries.map(({ pk }) => ({ pk, sk: "S" }));
  const { withStates = false } = options;
  const attributes = withStates ? [...ROW_ATTRIBUTES, ...STATE_ATTRIBUTES] : ROW_ATTRIBUTES;
  const items = await batchGet(table, keys, { attributes, retry, consistent: withStates });
  const byKey = new Map(items.map((item) => [textOf(item, "pk"), item]));
  const rows = entries.flatMap((entry) => rowAt(entry, byKey.get(entry.pk), withStates));
  const last = entries.at(-1);
  return isMore && last !== undefined ? { rows, next: decodeCreated(last.created) } : { rows };
}

/**
 * The names of Jobs in these partitions, up to `limit` in all: one request for each partition, and one for the names of
 * up to 100 Jobs.
 */
export async function readNames(
  table: DynamoTable,
  list: JobList,
  { limit, retry }: { readonly limit: number; readonly retry: Retry },
): Promise<readonly string[]> {
  const share = Math.ceil(Math.min(limit, MAX_NAMES) / list.partitions.length);
  const pages = await Promise.all(
    list.partitions.map((partition) =>
      queryPage(table, { ...JOB_INDEXES[list.index], index: list.index, partition }, share),
    ),
  );
  const keys = pages.flatMap(({ items }) => items.map((item) => ({ pk: textOf(item, "pk"), sk: "S" })));
  // A Job that moves from one half of its list to the other may be in both.
  const unique = [...new Map(keys.map((key) => [key.pk, key])).values()];
  const items = await batchGet(table, unique, { attributes: ROW_ATTRIBUTES, retry });
  return items.flatMap((item) => toRow(item)?.name ?? []);
}

/** As many as one BatchGetItem reads. */
const MAX_NAMES = 100;

function rowAt({ pk }: Entry, item: Item | undefined, withStates: boolean): JobPage["rows"] {
  const row = item && toRow(item);
  if (item === undefined || row === undefined) return [];
  return [{ jobUid: uidOf(pk), ...row, ...(withStates && { stored: toState(item) }) }];
}

/** `pk` is `cluster#uid`; the name of a cluster cannot contain `#`. */
function uidOf(pk: string): JobUid {
  return pk.slice(pk.indexOf("#") + 1) as JobUid;
}

async function mergeEntries(
  table: DynamoTable,
  { index, partitions }: JobList,
  { limit, after, order = "newest" }: ListOptions,
): Promise<{ readonly entries: readonly Entry[]; readonly isMore: boolean }> {
  const backwards = order === "oldest";
  const pageSize = shareOf(limit, partitions.length);
  const start = after && encodeCreated(after);
  const readers = partitions.map(
    (partition) => new PartitionReader(table, { index, partition, backwards, pageSize, start }),
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
function shareOf(limit: number, partitions: number): number {
  return partitions === 1 ? limit + 1 : Math.min(limit + 1, Math.ceil((1.3 * limit) / partitions) + 2);
}

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
  return backwards ? a.created > b.created : a.created < b.created;
}

interface PartitionStart {
  readonly index: JobIndex;
  readonly partition: string;
  readonly backwards: boolean;
  readonly pageSize: number;
  readonly start: string | undefined;
}

/** Reads one partition of an index in pages. */
class PartitionReader {
  readonly #table: DynamoTable;
  readonly #from: PartitionStart;
  #entries: readonly Entry[] = [];
  #next = 0;
  #last: string | undefined;
  #isMore = true;

  constructor(table: DynamoTable, from: PartitionStart) {
    this.#table = table;
    this.#from = from;
    this.#last = from.start;
  }

  /** The next entry; `undefined` at the end of the partition. */
  get head(): Entry | undefined {
    return this.#entries[this.#next];
  }

  take(): Entry {
    const { head } = this;
    if (head === undefined) throw new RangeError("The partition has no entry left.");
    this.#next += 1;
    return head;
  }

  /** Reads the next page when the current one is used up. */
  async fill(): Promise<void> {
    while (this.head === undefined && this.#isMore) {
      const page = await this.#readPage();
      this.#entries = page.items.map((item) => ({ pk: textOf(item, "pk"), created: textOf(item, "createdSk") }));
      this.#next = 0;
      this.#last = this.#entries.at(-1)?.created ?? this.#last;
      this.#isMore = page.isMore;
    }
  }

  #readPage() {
    const { index, partition, backwards, pageSize } = this.#from;
    const { partitionKey, sortKey } = JOB_INDEXES[index];
    const range = { index, partitionKey, sortKey, partition, backwards, after: this.#last };
    return queryPage(this.#table, range, pageSize);
  }
}
