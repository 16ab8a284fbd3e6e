import { type AttributeValue, BatchWriteItemCommand, ScanCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import type { BackOff } from "../aws/back-off.ts";
import type { Cleared } from "../ports/projections.ts";
import type { Item } from "./attribute.ts";
import { type DynamoTable, named } from "./dynamo-table.ts";
import { untilDone } from "./until-done.ts";

/** How many readers share a scan: each is a request after the other. */
const SEGMENTS = 4;
/** BatchWriteItem takes at most 25 requests. */
const MAX_DELETES = 25;

/**
 * Deletes every item that is there when it begins. A delete costs what a write of the item costs, its index entries too: about three write units for a Job.
 * Making the table anew would cost none, but the stack owns it. Killed on the way, it is begun again and finds less.
 */
export async function emptyTable(
  table: DynamoTable,
  backOff: BackOff,
  hasTime: () => boolean = () => true,
): Promise<Cleared> {
  const segments = Array.from({ length: SEGMENTS }, (_, segment) => segment);
  const emptied = await Promise.all(segments.map((segment) => emptySegment(table, segment, { backOff, hasTime })));
  return emptied.every((cleared) => cleared === "empty") ? "empty" : "paused";
}

async function emptySegment(
  table: DynamoTable,
  segment: number,
  { backOff, hasTime }: { readonly backOff: BackOff; readonly hasTime: () => boolean },
): Promise<Cleared> {
  let from: Record<string, AttributeValue> | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table.name,
      ConsistentRead: true,
      ProjectionExpression: "pk, sk",
      Segment: segment,
      TotalSegments: SEGMENTS,
      ...(from && { ExclusiveStartKey: from }),
    });
    const { Items = [], LastEvaluatedKey } = await named(table.name, () => table.client.send(scan));
    for (let first = 0; first < Items.length; first += MAX_DELETES) {
      if (!hasTime()) return "paused";
      await deleteItems(table, Items.slice(first, first + MAX_DELETES), backOff);
    }
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return "empty";
}

async function deleteItems(table: DynamoTable, keys: readonly Item[], backOff: BackOff): Promise<void> {
  const step = async (rest: readonly WriteRequest[]) => {
    const request = new BatchWriteItemCommand({ RequestItems: { [table.name]: [...rest] } });
    const { UnprocessedItems } = await named(table.name, () => table.client.send(request));
    return UnprocessedItems?.[table.name] ?? [];
  };
  const deletes = keys.map((key): WriteRequest => ({ DeleteRequest: { Key: { ...key } } }));
  await untilDone(table.name, deletes, { backOff, step });
}
