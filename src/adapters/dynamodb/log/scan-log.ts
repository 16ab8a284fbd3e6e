import { type AttributeValue, type DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import type { LogItem } from "../../../ports/log.ts";
import type { Item } from "../attribute.ts";
import { named } from "../dynamo-table.ts";
import { toLogItem } from "./log-item.ts";
import { isPackItem, itemsOfPack } from "./pack-item.ts";

/**
 * Every segment of a log table in pages of 1 MB, whatever the records say: for a table that was restored from a point
 * in time. Packs of one shard and hour follow each other. Throws an AwsError, or {@link NotALogError}.
 */
export async function* scanLog(client: DynamoDBClient, table: string): AsyncGenerator<readonly LogItem[]> {
  let from: Record<string, AttributeValue> | undefined;
  do {
    const scan = new ScanCommand({ TableName: table, ...(from && { ExclusiveStartKey: from }) });
    const { Items = [], LastEvaluatedKey } = await named(table, () => client.send(scan));
    yield Items.flatMap((item) => segmentsOf(table, item));
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

function segmentsOf(table: string, item: Item): readonly LogItem[] {
  if (isPackItem(item)) return itemsOfPack(item);
  if (item["segment"]?.B === undefined) throw new NotALogError(table);
  return [toLogItem(item)];
}

/** The table contains other items than a log does, for example records or Jobs. */
class NotALogError extends Error {
  override readonly name = "NotALogError";

  constructor(table: string) {
    super(`Table ${table} is not a log of Outlive. Name the restored copy of the log table (output LogTable).`);
  }
}
