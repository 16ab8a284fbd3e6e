import { randomBytes } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type {
  MetaKind,
  MetaPage,
  MetaRange,
  MetaRecord,
  MetaStore,
  MetaWrite,
  MetaWriteOutcome,
} from "../../ports/meta.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "./attribute.ts";
import { type DynamoTable, getItem, type KeyRange, putItem, queryPage, versionIs } from "./dynamo-table.ts";
import { metaExpiry } from "./meta-expiry.ts";
import { fromValue, toValue } from "./meta-value.ts";
import { hashDigits, lacksPartition, metaPartitions } from "./meta-partition.ts";

export interface DynamoMetaOptions {
  readonly table: string;
  /** The days for which a Job and its records are kept after it finished. */
  readonly retentionDays: number;
  /** @default Date.now */
  readonly now?: () => number;
}

/**
 * Records in a DynamoDB table, one partition per kind, or several (meta-partition.ts). Kinds with one partition are
 * written rarely (for gaps and heartbeats, and once per cluster, namespace and day), far below a partition's limit.
 */
export function createDynamoMetaStore(client: DynamoDBClient, options: DynamoMetaOptions): MetaStore {
  const table: DynamoTable = { client, name: options.table };
  return {
    read: (kind, key) => read(table, kind, key),
    write: (kind, key, record) => write(table, { kind, key, ...record }, options),
    list: (kind, listed) => list(table, kind, listed),
  };
}

/** A record that was last written before partitions were split is still in its earlier partition. */
async function read(table: DynamoTable, kind: MetaKind, key: string): Promise<MetaRecord | undefined> {
  const { current, earlier } = metaPartitions(kind, key);
  const item =
    (await getItem(table, { pk: current, sk: key })) ??
    (earlier === undefined ? undefined : await getItem(table, { pk: earlier, sk: key }));
  return item && toRecord(item);
}

interface Write extends MetaWrite {
  readonly kind: MetaKind;
  readonly key: string;
}

async function write(
  table: DynamoTable,
  record: Write,
  { retentionDays, now = Date.now }: DynamoMetaOptions,
): Promise<MetaWriteOutcome> {
  const { kind, key, value, expected, lifetimeDays } = record;
  const { current, earlier } = metaPartitions(kind, key);
  const version = expected + 1;
  const expiry = metaExpiry(kind, key, { retentionDays, now: now(), lifetimeDays });
  const writer = randomBytes(8);
  const item: Item = {
    pk: text(current),
    sk: text(key),
    version: number(version),
    value: fromValue(value),
    writer: bytes(writer),
    ...(expiry !== undefined && { ttl: number(expiry) }),
  };
  const put = await putItem(table, item, { ...versionIs(expected), returnExisting: true });
  if (put.outcome === "written") return { outcome: "written", version };
  if (put.existing === undefined && earlier !== undefined) return move(table, item, { earlier, key, expected });
  // The SDK repeats a put whose response was lost. If the stored record is this put's own, that is not a conflict.
  const isOwn = put.existing !== undefined && Buffer.compare(bytesOf(put.existing, "writer"), writer) === 0;
  return isOwn ? { outcome: "written", version } : { outcome: "conflict" };
}

/** Writes a record for the first time in its new partition, if the earlier one has the expected version. */
async function move(
  table: DynamoTable,
  item: Item,
  { earlier, key, expected }: { readonly earlier: string; readonly key: string; readonly expected: number },
): Promise<MetaWriteOutcome> {
  const stored = await getItem(table, { pk: earlier, sk: key });
  if (stored === undefined || numberOf(stored, "version") !== expected) return { outcome: "conflict" };
  const { outcome } = await putItem(table, item, versionIs(0));
  return outcome === "written" ? { outcome, version: expected + 1 } : { outcome: "conflict" };
}

async function list(table: DynamoTable, kind: MetaKind, options: ListOptions): Promise<MetaPage> {
  const digits = options.prefix === "" ? hashDigits(kind) : undefined;
  return digits === undefined ? listOne(table, kind, options) : listAll(table, { kind, digits, ...options });
}

/** One page of all partitions of a kind that is divided by hash. They follow each other in the order of the keys. */
async function listAll(
  table: DynamoTable,
  { kind, digits, after = "", limit }: ListOptions & { readonly kind: MetaKind; readonly digits: readonly string[] },
): Promise<MetaPage> {
  const records: MetaRecord[] = [];
  for (const prefix of digits.filter((digit) => digit >= after.slice(0, 1))) {
    const page = await listOne(table, kind, { prefix, after, limit: limit - records.length });
    records.push(...page.records);
    const next = page.next ?? records.at(-1)?.key;
    if (next !== undefined && (page.next !== undefined || records.length >= limit)) return { records, next };
  }
  return { records };
}

async function listOne(table: DynamoTable, kind: MetaKind, options: ListOptions): Promise<MetaPage> {
  const { current, earlier } = metaPartitions(kind, options.prefix);
  if (lacksPartition(kind, options.prefix)) throw new ClusterMissingError(kind, options.prefix);
  const page = await listPartition(table, current, options);
  return earlier === undefined ? page : merged(page, await listPartition(table, earlier, options), options.limit);
}

/** Records of this kind are stored by cluster, and the prefix does not begin with one. */
class ClusterMissingError extends Error {
  override readonly name = "ClusterMissingError";

  constructor(kind: MetaKind, prefix: string) {
    super(`Cannot list records of kind ${kind} with the prefix "${prefix}": the prefix must begin with a cluster.`);
  }
}

/** One page of two partitions, in the order of their keys. Of a record in both, the one in `page` is returned. */
function merged(page: MetaPage, earlier: MetaPage, limit: number): MetaPage {
  const all = new Map([...earlier.records, ...page.records].map((record) => [record.key, record]));
  const sorted = [...all.values()].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  // A page that has a next page is complete only up to its last key.
  const ends = [page.next, earlier.next].filter((next) => next !== undefined).map((next) => Buffer.from(next));
  const complete = sorted.filter(({ key }) => ends.every((end) => Buffer.compare(Buffer.from(key), end) <= 0));
  const records = complete.slice(0, limit);
  const last = records.at(-1);
  const isMore = records.length < sorted.length || ends.length > 0;
  return isMore && last !== undefined ? { records, next: last.key } : { records };
}

type ListOptions = MetaRange;

async function listPartition(
  table: DynamoTable,
  partition: string,
  { prefix, after, before, limit, isEventual = false }: ListOptions,
): Promise<MetaPage> {
  const within: KeyRange = { partitionKey: "pk", partition, sortKey: "sk", before, isEventual };
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
  return { key: textOf(item, "sk"), value: toValue(item["value"] ?? text("")), version: numberOf(item, "version") };
}
