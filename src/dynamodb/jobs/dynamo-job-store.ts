import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { Retry } from "../../concurrency/retry.ts";
import type { JobStore, ListOptions } from "../../ports/jobs.ts";
import { number } from "../attribute.ts";
import { type DynamoTable, getItem, putItem } from "../dynamo-table.ts";
import { fromJobState, fromPage, pageKey, stateKey, toPage, toStoredJob } from "./job-item.ts";
import { type JobList, readList, readNames } from "./job-lists.ts";
import { expiryOf } from "../expiry.ts";
import { attentionPartitions, listPartitions, namePk, samplePartitions } from "./list-partition.ts";
import { versionIs } from "../version-is.ts";

export interface DynamoJobStoreOptions {
  readonly table: string;
  /** For how many days a Job is kept after it ended. */
  readonly retentionDays: number;
  /** For what DynamoDB leaves unprocessed of a batch. @default batchRetry() */
  readonly retry?: Retry;
  /** @default Date.now */
  readonly now?: () => number;
}

/** One projection of Jobs in a DynamoDB table (docs/decisions/0011-dynamodb-tables.md). */
export function createDynamoJobStore(client: DynamoDBClient, options: DynamoJobStoreOptions): JobStore {
  const { table: name, retentionDays, retry = batchRetry(), now = Date.now } = options;
  const table: DynamoTable = { client, name };
  const page = (list: JobList, listed: ListOptions) => readList(table, list, { options: listed, retry });
  return {
    read: async (key) => {
      const item = await getItem(table, stateKey(key));
      return item && toStoredJob(item);
    },
    write: async (key, state, expected) => {
      const version = expected + 1;
      const put = await putItem(table, fromJobState(key, state, { version, retentionDays }), versionIs(expected));
      return put.outcome === "written" ? { outcome: "written", version } : { outcome: "conflict" };
    },
    list: (partition, listed) => page({ index: "list", partitions: listPartitions(partition) }, listed),
    listByName: (named, listed) => page({ index: "name", partitions: [namePk(named)] }, listed),
    sampleNames: (namespace, limit) =>
      readNames(table, { index: "list", partitions: samplePartitions(namespace) }, { limit, retry }),
    listAttention: ({ cluster }, listed) =>
      page({ index: "attention", partitions: attentionPartitions(cluster) }, listed),
    writePage: async (key, hash, bytes) => {
      const item = fromPage(pageKey(key, hash), bytes, { now: now(), retentionDays });
      // A page with this name has the same bytes. It is rewritten only to extend its expiry.
      await putItem(table, item, {
        expression: "attribute_not_exists(pk) OR #ttl < :soon",
        names: { "#ttl": "ttl" },
        values: { ":soon": number(expiryOf(now(), retentionDays)) },
      });
    },
    readPage: async (key, hash) => {
      const item = await getItem(table, pageKey(key, hash));
      return item && toPage(item);
    },
  };
}
