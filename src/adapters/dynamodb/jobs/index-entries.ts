import { JOB_INDEXES, type JobIndex } from "../../../ports/deployment/tables.ts";
import { textOf } from "../attribute.ts";
import { type DynamoTable, queryPage } from "../dynamo-table.ts";
import type { EntrySource, PartitionStart } from "./partition-reader.ts";

/** Entries of one partition of an index. */
export interface IndexPartition extends Pick<PartitionStart, "start" | "backwards"> {
  readonly index: JobIndex;
  readonly partition: string;
}

/**
 * In the lists of all clusters, entries can have the same sort key, and DynamoDB returns them in an order of its own.
 * So the entry at the start is read again, and those with the last key wait for the next page.
 */
export function indexEntries(table: DynamoTable, { index, partition, backwards, start }: IndexPartition): EntrySource {
  const hasTies = index === "wide";
  const { partitionKey, sortKey } = JOB_INDEXES[index];
  const range = { index, partitionKey, sortKey, partition, backwards, after: start?.created, isInclusive: hasTies };
  return {
    read: (startKey, limit) => queryPage(table, { ...range, startKey }, limit + (hasTies ? 1 : 0)),
    entriesOf: (items) => items.map((item) => ({ pk: textOf(item, "pk"), created: textOf(item, "createdSk") })),
    isSettled: ({ created }, last) => !hasTies || last === undefined || created !== textOf(last, "createdSk"),
  };
}
