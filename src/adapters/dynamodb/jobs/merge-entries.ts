import type { JobIndex } from "../../../ports/deployment/tables.ts";
import type { DynamoTable } from "../dynamo-table.ts";
import { indexEntries } from "./index-entries.ts";
import { isRecordPartition } from "./list-partition.ts";
import { compareEntries, type Entry, isBefore, PartitionReader } from "./partition-reader.ts";
import { wideRecordEntries } from "./wide-record-entries.ts";

/** A list of Jobs: partitions of an index, each sorted. Those of records belong to the index of all clusters. */
export interface JobList {
  readonly index: JobIndex;
  readonly partitions: readonly string[];
}

/** Which entries to read of the merged partitions. */
export interface EntryRange {
  /** Exclusive, in the order of the list. */
  readonly start?: Entry | undefined;
  readonly limit: number;
  readonly backwards: boolean;
  /** How many entries or records to read of a partition at once. @default its share of the limit, and some more */
  readonly pageSizeOf?: (partition: string) => number;
}

/** The first entries of a list, merged from its partitions, and whether more follow. */
export async function mergeEntries(
  table: DynamoTable,
  { index, partitions }: JobList,
  { start, limit, backwards, pageSizeOf = () => shareOf(limit, partitions.length) }: EntryRange,
): Promise<{ readonly entries: readonly Entry[]; readonly isMore: boolean }> {
  const readers = partitions.map((partition) => {
    const from = { partition, backwards, start };
    const source = isRecordPartition(partition)
      ? wideRecordEntries(table, from)
      : indexEntries(table, { ...from, index });
    return new PartitionReader(source, { backwards, start, pageSize: pageSizeOf(partition) });
  });
  await Promise.all(readers.map((reader) => reader.fill()));
  const entries: Entry[] = [];
  for (;;) {
    const first = firstOf(readers, backwards);
    if (first === undefined || entries.length === limit) return { entries, isMore: first !== undefined };
    const entry = first.take();
    const last = entries.at(-1);
    // A Job may be in several records, and have an entry as well.
    if (last === undefined || compareEntries(last, entry) !== 0) entries.push(entry);
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
