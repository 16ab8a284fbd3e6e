import { type AttributeValue, BatchWriteItemCommand, ScanCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import type { BackOff } from "../aws/back-off.ts";
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
export async function emptyTable(table: DynamoTable, backOff: BackOff): Promise<void> {
  const segments = Array.from({ length: SEGMENTS }, (_, segment) => segment);
  await Promise.all(segments.map((segment) => emptySegment(table, segment, backOff)));
}

async function emptySegment(table: DynamoTable, segment: number, backOff: BackOff): Promise<void> {
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
      await deleteItems(table, Items.slice(first, first + MAX_DELETES), backOff);
    }
    from = LastEvaluatedKey;
  } while (from !== undefined);
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
