import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  type AppendOutcome,
  type Log,
  LOG_MORE_DAYS,
  type LogItem,
  type LogPage,
  type LogHour,
  type LogKey,
  type PackedLog,
  type PackPage,
  type PackPlace,
  type PackRange,
  PACK_DEADLINE_MS,
} from "../../../ports/log.ts";
import { dayPartition } from "../../../segment/segment-key.ts";
import { type DynamoTable, getItem, putItem, queryPage } from "../dynamo-table.ts";
import { isPackItem, itemsOfPack, fromPack } from "./pack-item.ts";
import { fromLogItem, storedSha256, toLogItem } from "./log-item.ts";
import { formatMillis } from "../../../job/model/instant.ts";
import { hourPartition, utcHour } from "../../../segment/pack-key.ts";
import { textOf } from "../attribute.ts";

export interface DynamoLogOptions {
  readonly table: string;
  /**
   * For how many days a Job is kept after it ended. A log item is kept `LOG_MORE_DAYS` longer, from when it was sealed.
   */
  readonly retentionDays: number;
  /** For how many days a pack is kept after its arrival. @default `LOG_MORE_DAYS` longer than a Job */
  readonly logDays?: number | undefined;
}

/**
 * The log in a DynamoDB table. `append` writes a segment as its own item, as earlier releases did. The ingest function
 * appends packs. Both are read. An item costs one write unit for each started KB.
 */
export function createDynamoLog(client: DynamoDBClient, options: DynamoLogOptions): Log {
  const { table: name, retentionDays, logDays = retentionDays + LOG_MORE_DAYS } = options;
  const table: DynamoTable = { client, name };
  return {
    append: (item) => append(table, item, retentionDays),
    read: async (key) => {
      if (key.pack !== undefined) return readPacked(table, key, key.pack);
      const item = await getItem(table, key);
      return item && (isPackItem(item) ? itemsOfPack(item)[0] : toLogItem(item));
    },
    readDay: async ({ cluster, day }, { after, limit }) => {
      const partition = dayPartition(cluster, day);
      const page = await queryPage(table, { partitionKey: "pk", partition, sortKey: "sk", after: after?.sk }, limit);
      return pageOf(page.items.map(toLogItem), page.isMore);
    },
    packs: createDynamoPacks(table, logDays),
  };
}

async function append(table: DynamoTable, item: LogItem, retentionDays: number): Promise<AppendOutcome> {
  const put = await putItem(table, fromLogItem(item, retentionDays), {
    expression: "attribute_not_exists(pk)",
    returnExisting: true,
  });
  if (put.outcome === "written") return { outcome: "appended" };
  const stored = put.existing && storedSha256(put.existing);
  // Without the stored hash, the log may lack these facts: reporting a duplicate would lose them.
  if (stored === undefined || stored === "") throw new StoredHashMissingError(table.name, item);
  return stored === item.sha256 ? { outcome: "duplicate" } : { outcome: "conflict", storedSha256: stored };
}

/** The key of a log item is taken, and DynamoDB did not return the hash of the stored item. */
class StoredHashMissingError extends Error {
  override readonly name = "StoredHashMissingError";

  constructor(table: string, { key }: LogItem) {
    super(
      `Table ${table} did not return the sha256 of its item ${key.pk} ${key.sk}, so the new item cannot be ` +
        "compared with it. Check the attributes of the stored item.",
    );
  }
}

function pageOf(items: readonly LogItem[], isMore: boolean): LogPage {
  const last = items.at(-1);
  return isMore && last !== undefined ? { items, next: last.key } : { items };
}

/** The packs in the table of the log, kept for some days each. A pack takes one write unit for each started KB. */
function createDynamoPacks(table: DynamoTable, logDays: number): PackedLog {
  return {
    append: async (pack) => {
      const signal = AbortSignal.timeout(PACK_DEADLINE_MS);
      await putItem(table, fromPack(pack, logDays), { expression: "attribute_not_exists(pk)", signal });
    },
    readHour: (hour, range) => readHour(table, hour, range),
  };
}

/** Sorts after every sort key that begins with an instant. */
const AFTER_ALL = "~";
/** The most packs that are read for one shard and millisecond. */
const SAME_INSTANT = 20;

/** The segment in a pack at its place; `undefined` if no pack there has it. */
async function readPacked(
  table: DynamoTable,
  key: LogKey,
  { shard, arrivedAt }: PackPlace,
): Promise<LogItem | undefined> {
  const hour = { shard, hour: utcHour(arrivedAt) };
  const prefix = `${formatMillis(arrivedAt)}#`;
  let after: string | undefined = prefix;
  while (after !== undefined) {
    const page: PackPage = await readHour(table, hour, { after, before: prefix + AFTER_ALL, limit: SAME_INSTANT });
    for (const { items } of page.packs) {
      const found = items.find((item) => item.key.pk === key.pk && item.key.sk === key.sk);
      if (found !== undefined) return found;
    }
    after = page.next;
  }
  return undefined;
}

async function readHour(table: DynamoTable, hour: LogHour, range: PackRange): Promise<PackPage> {
  const { after, before, limit, isEventual = false } = range;
  // DynamoDB refuses a range whose end is before its begin.
  if (after !== undefined && before !== undefined && before <= after) return { packs: [] };
  const keys = { partitionKey: "pk", partition: hourPartition(hour), sortKey: "sk", after, before };
  const page = await queryPage(table, { ...keys, isEventual }, limit);
  const packs = page.items.map((item) => ({ hour, sk: textOf(item, "sk"), items: itemsOfPack(item) }));
  const last = packs.at(-1);
  return page.isMore && last !== undefined ? { packs, next: last.sk } : { packs };
}
