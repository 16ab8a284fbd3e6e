import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { AppendOutcome, Log, LogItem, LogPage } from "../ports/log.ts";
import { dayPartition } from "../segment/segment-key.ts";
import { type DynamoTable, getItem, putItem, queryPage } from "./dynamo-table.ts";
import { fromLogItem, storedSha256, toLogItem } from "./log-item.ts";

export interface DynamoLogOptions {
  readonly table: string;
  /** For how many days a Job is kept after it ended; an item of the log is kept for `LOG_MORE_DAYS` (src/ports/log.ts) longer, counted from when it was sealed. */
  readonly retentionDays: number;
}

/** The log in a DynamoDB table. One item is one write unit for each 1 KB begun. */
export function createDynamoLog(client: DynamoDBClient, { table: name, retentionDays }: DynamoLogOptions): Log {
  const table: DynamoTable = { client, name };
  return {
    append: (item) => append(table, item, retentionDays),
    read: async (key) => {
      const item = await getItem(table, key);
      return item && toLogItem(item);
    },
    readDay: async ({ cluster, day }, { after, limit }) => {
      const partition = dayPartition(cluster, day);
      const page = await queryPage(table, { partitionKey: "pk", partition, sortKey: "sk", after: after?.sk }, limit);
      return pageOf(page.items.map(toLogItem), page.isMore);
    },
  };
}

async function append(table: DynamoTable, item: LogItem, retentionDays: number): Promise<AppendOutcome> {
  const put = await putItem(table, fromLogItem(item, retentionDays), {
    expression: "attribute_not_exists(pk)",
    tellExisting: true,
  });
  if (put.outcome === "written") return { outcome: "appended" };
  const stored = put.existing === undefined ? item.sha256 : storedSha256(put.existing);
  return stored === item.sha256 ? { outcome: "duplicate" } : { outcome: "conflict", storedSha256: stored };
}

function pageOf(items: readonly LogItem[], isMore: boolean): LogPage {
  const last = items.at(-1);
  return isMore && last !== undefined ? { items, next: last.key } : { items };
}
