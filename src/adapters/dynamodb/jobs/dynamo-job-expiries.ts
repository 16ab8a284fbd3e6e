import { ConditionalCheckFailedException, type DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { batchRetry } from "../../aws/batch-retry.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import type {
  ExpiringJob,
  ExpiringJobs,
  ExpiringPage,
  ExpiryOutcome,
  ExpiryRange,
  JobExpiries,
} from "../../../ports/expiry/job-expiries.ts";
import type { JobKey, NamespaceOfJobs } from "../../../ports/jobs.ts";
import { bytesOf, type Item, number, numberOf, text, textOf } from "../attribute.ts";
import { batchGet } from "../batch-get-items.ts";
import { type DynamoTable, getItem, type ItemKey, keyOf, named, queryPage } from "../dynamo-table.ts";
import { decodeCreated, encodeCreated } from "./created-key.ts";
import {
  expiresAtOf,
  keyOfState,
  pageKey,
  ROW_ATTRIBUTES,
  STATE_ATTRIBUTES,
  stateKey,
  timeToLive,
  toRow,
} from "./job-item.ts";
import { earlierLivePartitions, listPartitions, namePk, widePk } from "./list-partition.ts";
import type { DynamoJobStoreOptions } from "./dynamo-job-store.ts";
import { type JobList, mergeEntries } from "./merge-entries.ts";

export interface DynamoJobExpiriesOptions {
  readonly table: string;
  /** @default "jobs" */
  readonly content?: DynamoJobStoreOptions["content"];
  /** For what DynamoDB leaves unprocessed of a batch. @default batchRetry() */
  readonly retry?: Retry;
}

/**
 * The expiry of Jobs in a DynamoDB table. A change of an item's expiry takes as many write units as a write of the
 * item, and an index entry if the Job had none for all clusters. An expired item that DynamoDB has not deleted yet is
 * kept if its expiry is extended (Developer Guide, "Working with expired items and TTL"). A deleted item cannot be
 * restored this way.
 */
export function createDynamoJobExpiries(client: DynamoDBClient, options: DynamoJobExpiriesOptions): JobExpiries {
  const { table: name, content = "jobs", retry = batchRetry() } = options;
  const table: DynamoTable = { client, name };
  return {
    list: (jobs, range) => listExpiring(table, listOf(jobs, content), { ...range, retry, content }),
    read: async (key) => {
      const item = await getItem(table, stateKey(key));
      return item && expiringJob(item, content);
    },
    listPages: (key) => listPages(table, key),
    setState: (key, { version, expiresAt }) =>
      setExpiry(table, stateKey(key), {
        // A record of the wide lists that has the Job expires as before. So the Job gets an index entry.
        set: "#ttl = :ttl, version = :next, widePk = if_not_exists(widePk, :wide)",
        condition: "version = :expected",
        values: {
          ":ttl": timeToLive(expiresAt),
          ":expected": number(version),
          ":next": number(version + 1),
          ":wide": text(widePk("O", key.jobUid)),
        },
      }),
    setPage: (key, { hash, expiresAt: before }, expiresAt) =>
      setExpiry(table, pageKey(key, hash), {
        set: "#ttl = :ttl",
        condition: "#ttl = :before",
        values: { ":ttl": timeToLive(expiresAt), ":before": timeToLive(before) },
      }),
  };
}

type Content = NonNullable<DynamoJobExpiriesOptions["content"]>;

/** Live Jobs that an earlier release wrote are in partitions of their own. */
function listOf({ name, ...namespace }: NamespaceOfJobs & { readonly name?: string }, content: Content): JobList {
  if (name !== undefined) return { index: "name", partitions: [namePk({ ...namespace, name })] };
  const earlier = content === "jobs" ? earlierLivePartitions(namespace) : [];
  return { index: "list", partitions: [...earlier, ...listPartitions(namespace)] };
}

async function listExpiring(
  table: DynamoTable,
  list: JobList,
  { after, limit, retry, content }: ExpiryRange & { readonly retry: Retry; readonly content: Content },
): Promise<ExpiringJobs> {
  const start = after && { pk: "", created: encodeCreated(after) };
  // The keys of the lists sort the newest first.
  const { entries, isMore } = await mergeEntries(table, list, { start, limit, backwards: true });
  const keys = [...new Set(entries.map(({ pk }) => pk))].map((pk) => ({ pk, sk: "S" }));
  const items = await batchGet(table, keys, { attributes: [...ROW_ATTRIBUTES, ...STATE_ATTRIBUTES], retry });
  const jobs = items.flatMap((item) => expiringJob(item, content) ?? []);
  const last = entries.at(-1);
  return isMore && last !== undefined ? { jobs, next: decodeCreated(last.created) } : { jobs };
}

function expiringJob(item: Item, content: Content): ExpiringJob | undefined {
  const key = keyOfState(textOf(item, "pk"));
  const row = toRow(item);
  if (key === undefined || row === undefined) return undefined;
  const { namespace, name, createdAt, endedAt = createdAt, summary } = row;
  const expiresAt = expiresAtOf(item);
  return {
    key,
    namespace,
    name,
    endedAt,
    version: numberOf(item, "version"),
    state: content === "runs" ? summary : bytesOf(item, "state"),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Keys of pages in a request. */
const PAGES = 500;

async function* listPages(table: DynamoTable, key: JobKey): AsyncGenerator<ExpiringPage> {
  const prefix = pageKey(key, "");
  const range = { partitionKey: "pk", partition: prefix.pk, sortKey: "sk", prefix: prefix.sk };
  let startKey: Item | undefined;
  do {
    const page = await queryPage(table, { ...range, attributes: ["sk", "ttl"], isEventual: true, startKey }, PAGES);
    for (const item of page.items) {
      const expiresAt = expiresAtOf(item);
      if (expiresAt !== undefined) yield { hash: textOf(item, "sk").slice(prefix.sk.length), expiresAt };
    }
    startKey = page.last;
  } while (startKey !== undefined);
}

interface ExpiryUpdate {
  readonly set: string;
  /** A condition that is false for a deleted item, so that an update never creates one. */
  readonly condition: string;
  readonly values: Item;
}

async function setExpiry(table: DynamoTable, key: ItemKey, update: ExpiryUpdate): Promise<ExpiryOutcome> {
  const command = new UpdateItemCommand({
    TableName: table.name,
    Key: keyOf(key),
    UpdateExpression: `SET ${update.set}`,
    ConditionExpression: update.condition,
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ...update.values },
  });
  return named(table.name, async () => {
    try {
      await table.client.send(command);
      return "written";
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      return "conflict";
    }
  });
}
