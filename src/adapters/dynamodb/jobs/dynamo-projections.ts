import {
  type DynamoDBClient,
  type AttributeValue,
  BatchWriteItemCommand,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { ProjectionName, Projections, Cleared } from "../../../ports/projections.ts";
import { createDynamoJobStore, type DynamoJobStoreOptions } from "./dynamo-job-store.ts";
import { EARLIEST } from "../../../job/model/instant.ts";
import { writeCoverage } from "./wide-coverage.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import type { Item } from "../attribute.ts";
import { type DynamoTable, named } from "../dynamo-table.ts";
import { untilDone } from "../until-done.ts";

export interface DynamoProjectionsOptions extends Omit<DynamoJobStoreOptions, "table"> {
  readonly tables: Readonly<Record<ProjectionName, string>>;
}

/** Both projections, each in its own table. */
export function createDynamoProjections(
  client: DynamoDBClient,
  { tables, ...options }: DynamoProjectionsOptions,
): Projections {
  const { retry = batchRetry(), now = Date.now } = options;
  const stores = {
    A: createDynamoJobStore(client, { ...options, retry, table: tables.A }),
    B: createDynamoJobStore(client, { ...options, retry, table: tables.B }),
  };
  return {
    open: (name) => stores[name],
    clear: async (name, hasTime) => {
      const table = { client, name: tables[name] };
      const cleared = await emptyTable(table, { retry, hasTime });
      // From now on, every write reaches the wide lists, and long-lived Jobs enter their own class at once.
      if (cleared === "empty") await writeCoverage(table, { since: EARLIEST, sweptTo: now(), isConverted: true }, 0);
      return cleared;
    },
  };
}

/** Segments of the scan, which are read concurrently. */
const SEGMENTS = 4;
/** BatchWriteItem accepts 25 requests. */
const MAX_DELETES = 25;

export interface EmptyTableOptions {
  readonly retry: Retry;
  /** Whether there is time for another batch. @default always */
  readonly hasTime?: (() => boolean) | undefined;
}

/**
 * Deletes every item that exists when it starts. A delete costs as much as a write of the item and its index entries,
 * about four write units per Job. (A new table would cost nothing, but the stack owns the table: decision 0058.) It can
 * be started again at any time.
 */
async function emptyTable(table: DynamoTable, options: EmptyTableOptions): Promise<Cleared> {
  const segments = Array.from({ length: SEGMENTS }, (_, segment) => segment);
  const emptied = await Promise.all(segments.map((segment) => emptySegment(table, segment, options)));
  return emptied.every((cleared) => cleared === "empty") ? "empty" : "paused";
}

async function emptySegment(
  table: DynamoTable,
  segment: number,
  { retry, hasTime = () => true }: EmptyTableOptions,
): Promise<Cleared> {
  let from: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await scanKeys(table, segment, from);
    for (let first = 0; first < Items.length; first += MAX_DELETES) {
      if (!hasTime()) return "paused";
      await deleteItems(table, Items.slice(first, first + MAX_DELETES), retry);
    }
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return "empty";
}

function scanKeys(table: DynamoTable, segment: number, from: Record<string, AttributeValue> | undefined) {
  const scan = new ScanCommand({
    TableName: table.name,
    ConsistentRead: true,
    ProjectionExpression: "pk, sk",
    Segment: segment,
    TotalSegments: SEGMENTS,
    ...(from && { ExclusiveStartKey: from }),
  });
  return named(table.name, () => table.client.send(scan));
}

async function deleteItems(table: DynamoTable, keys: readonly Item[], retry: Retry): Promise<void> {
  const step = async (rest: readonly WriteRequest[]) => {
    const request = new BatchWriteItemCommand({ RequestItems: { [table.name]: [...rest] } });
    const { UnprocessedItems } = await named(table.name, () => table.client.send(request));
    return UnprocessedItems?.[table.name] ?? [];
  };
  const deletes = keys.map((key): WriteRequest => ({ DeleteRequest: { Key: { ...key } } }));
  await untilDone(table.name, deletes, { retry, step });
}
