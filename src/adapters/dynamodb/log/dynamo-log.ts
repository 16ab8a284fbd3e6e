import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type AppendOutcome, type Log, LOG_MORE_DAYS, type LogItem, type LogPage } from "../../../ports/log.ts";
import { dayPartition } from "../../../segment/segment-key.ts";
import { type DynamoTable, getItem, putItem, queryPage } from "../dynamo-table.ts";
import { createDynamoPacks, readPacked } from "./dynamo-packs.ts";
import { isPackItem, itemsOfPack } from "./pack-item.ts";
import { fromLogItem, storedSha256, toLogItem } from "./log-item.ts";

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
