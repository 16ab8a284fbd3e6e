import { EARLIEST, type Instant } from "../../../job/model/instant.ts";
import { type DynamoTable, queryPage } from "../dynamo-table.ts";
import { createdPrefix, decodeCreated } from "./created-key.ts";
import type { EntrySource, PartitionStart } from "./partition-reader.ts";
import { newestOf, toWideRecord, WIDE_RECORD_MS } from "./wide-record.ts";

/** A partition of records, which are sorted by their newest Job. */
export interface RecordPartition extends Pick<PartitionStart, "start" | "backwards"> {
  readonly partition: string;
}

/**
 * The Jobs in records of the wide lists. A record has Jobs that were created up to {@link WIDE_RECORD_MS} before its
 * newest one. So it may be needed that far before the start, and a Job is settled when no further record can have one
 * before it.
 */
export function wideRecordEntries(table: DynamoTable, { partition, backwards, start }: RecordPartition): EntrySource {
  const after = start && boundBefore(decodeCreated(start.created).createdAt, backwards);
  const range = { partitionKey: "pk", sortKey: "sk", partition, backwards, isEventual: true, after };
  return {
    read: (startKey, limit) => queryPage(table, { ...range, startKey }, limit),
    entriesOf: (items) => items.flatMap(toWideRecord),
    isSettled: ({ created }, last) => {
      if (last === undefined) return false;
      const { createdAt } = decodeCreated(created);
      const end = newestOf(last);
      return backwards ? createdAt < end - WIDE_RECORD_MS : createdAt > end;
    },
  };
}

/** A key before which no record has a Job that was created after the start; `undefined`: begin at the first one. */
function boundBefore(start: Instant, backwards: boolean): string | undefined {
  if (!backwards) return createdPrefix(start + WIDE_RECORD_MS);
  return start <= EARLIEST ? undefined : createdPrefix(start - 1);
}
