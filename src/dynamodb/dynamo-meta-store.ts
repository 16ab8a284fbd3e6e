import { randomBytes } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { MetaKind, MetaPage, MetaRecord, MetaStore, MetaWriteOutcome } from "../ports/meta.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "./attribute.ts";
import { type DynamoTable, getItem, type KeyRange, putItem, queryPage } from "./dynamo-table.ts";
import { metaExpiry } from "./meta-expiry.ts";
import { versionIs } from "./version-is.ts";

export interface DynamoMetaOptions {
  readonly table: string;
  /** For how many days a Job is kept after it ended, and what belongs to it. */
  readonly retentionDays: number;
  /** @default Date.now */
  readonly now?: () => number;
}

/**
 * Small records in a DynamoDB table, a partition for each kind. A partition takes 1,000 write units in a second: kinds are written when something new is
 * said of a Node, a CronJob or a gap, and once for a cluster, a namespace and a day, so none comes near.
 */
export function createDynamoMetaStore(client: DynamoDBClient, options: DynamoMetaOptions): MetaStore {
  const table: DynamoTable = { client, name: options.table };
  return {
    read: async (kind, key) => {
      const item = await getItem(table, { pk: kind, sk: key });
      return item && toRecord(item);
    },
    write: (kind, key, value, expected) => write(table, { kind, key, value, expected }, options),
    list: (kind, listed) => list(table, kind, listed),
  };
}

interface Write {
  readonly kind: MetaKind;
  readonly key: string;
  readonly value: string;
  readonly expected: number;
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
  const put = await putItem(table, item, { ...versionIs(expected), tellExisting: true });
  if (put.outcome === "written") return { outcome: "written", version };
  // The SDK repeats a put whose answer was lost; what stands in its way is then its own. Whoever moves a pointer must not believe that another one did.
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

/** A query knows one condition on the sort key. Where the position is within the prefix, what comes after the prefix ends the list. */
function startOf(prefix: string, after: string | undefined): Pick<KeyRange, "after" | "prefix"> {
  const isWithin = after !== undefined && after !== "" && Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
  return isWithin ? { after } : { prefix };
}

function toRecord(item: Item): MetaRecord {
  return { key: textOf(item, "sk"), value: textOf(item, "value"), version: numberOf(item, "version") };
}
