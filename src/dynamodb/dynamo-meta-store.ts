import { randomBytes } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { MetaKind, MetaPage, MetaRecord, MetaStore, MetaWrite, MetaWriteOutcome } from "../ports/meta.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "./attribute.ts";
import { type DynamoTable, getItem, type KeyRange, putItem, queryPage } from "./dynamo-table.ts";
import { metaExpiry } from "./meta-expiry.ts";
import { versionIs } from "./version-is.ts";

export interface DynamoMetaOptions {
  readonly table: string;
  /** The days for which a Job and its records are kept after it finished. */
  readonly retentionDays: number;
  /** @default Date.now */
  readonly now?: () => number;
}

/**
 * Records in a DynamoDB table, one partition per kind. A partition accepts 1,000 write units per second. Records are
 * written for changes of Nodes, CronJobs and gaps, and once per cluster, namespace and day: far below this limit.
 */
export function createDynamoMetaStore(client: DynamoDBClient, options: DynamoMetaOptions): MetaStore {
  const table: DynamoTable = { client, name: options.table };
  return {
    read: async (kind, key) => {
      const item = await getItem(table, { pk: kind, sk: key });
      return item && toRecord(item);
    },
    write: (kind, key, record) => write(table, { kind, key, ...record }, options),
    list: (kind, listed) => list(table, kind, listed),
  };
}

interface Write extends MetaWrite {
  readonly kind: MetaKind;
  readonly key: string;
}

async function write(
  table: DynamoTable,
  { kind, key, value, expected }: Write,
  { retentionDays, now = Date.now }: DynamoMetaOptions,
): Promise<MetaWriteOutcome> {
  const version = expected + 1;
  const expiry = metaExpiry(kind, key, { retentionDays, now: now() });
  const writer = randomBytes(8);
  const item: Item = {
    pk: text(kind),
    sk: text(key),
    version: number(version),
    value: text(value),
    writer: bytes(writer),
    ...(expiry !== undefined && { ttl: number(expiry) }),
  };
  const put = await putItem(table, item, { ...versionIs(expected), returnExisting: true });
  if (put.outcome === "written") return { outcome: "written", version };
  // The SDK repeats a put whose response was lost. Its own first attempt must not be reported as a conflict.
  const isOwn = put.existing !== undefined && Buffer.compare(bytesOf(put.existing, "writer"), writer) === 0;
  return isOwn ? { outcome: "written", version } : { outcome: "conflict" };
}

async function list(
  table: DynamoTable,
  kind: MetaKind,
  { prefix, after, limit }: Parameters<MetaStore["list"]>[1],
): Promise<MetaPage> {
  const within: KeyRange = { partitionKey: "pk", partition: kind, sortKey: "sk" };
  const page = await queryPage(table, { ...within, ...startOf(prefix, after) }, limit);
  const records = page.items.map(toRecord).filter(({ key }) => key.startsWith(prefix));
  const last = records.at(-1);
  const isMore = page.isMore && records.length === page.items.length;
  return isMore && last !== undefined ? { records, next: last.key } : { records };
}

/** A query has one condition on the sort key, so a position within the prefix replaces the prefix. */
function startOf(prefix: string, after: string | undefined): Pick<KeyRange, "after" | "prefix"> {
  const isWithin = after !== undefined && after !== "" && Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
  return isWithin ? { after } : { prefix };
}

function toRecord(item: Item): MetaRecord {
  return { key: textOf(item, "sk"), value: textOf(item, "value"), version: numberOf(item, "version") };
}
