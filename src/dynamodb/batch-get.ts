import { type AttributeValue, BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import type { BackOff } from "../aws/back-off.ts";
import type { Item } from "./attribute.ts";
import { type DynamoTable, type ItemKey, keyOf, named } from "./dynamo-table.ts";
import { untilDone } from "./until-done.ts";

/** BatchGetItem takes at most 100 keys, and answers at most 16 MB: what is beyond comes back as unprocessed, as does what was throttled. */
const MAX_KEYS = 100;

interface Wanted {
  readonly attributes: readonly string[];
  readonly backOff: BackOff;
  /** Strongly consistent reads cost twice as many read units. @default false */
  readonly consistent?: boolean;
}

/**
 * The attributes of the items that are there, in no order; half a read unit for each 4 KB of each item, whatever part of it is asked for. They may be a
 * moment old, as an index is that the keys come from. Keys are to differ: DynamoDB refuses the same one twice.
 */
export async function batchGet(table: DynamoTable, keys: readonly ItemKey[], wanted: Wanted): Promise<readonly Item[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, chunk) =>
    keys.slice(chunk * MAX_KEYS, (chunk + 1) * MAX_KEYS),
  );
  const found = await Promise.all(chunks.map((chunk) => getChunk(table, chunk, wanted)));
  return found.flat();
}

async function getChunk(
  table: DynamoTable,
  keys: readonly ItemKey[],
  { attributes, backOff, consistent = false }: Wanted,
) {
  const found: Item[] = [];
  const step = async (rest: readonly Record<string, AttributeValue>[]) => {
    const wanted = {
      Keys: [...rest],
      ProjectionExpression: attributes.map((attribute) => `#${attribute}`).join(", "),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((attribute) => [`#${attribute}`, attribute])),
      ConsistentRead: consistent,
    };
    const request = new BatchGetItemCommand({ RequestItems: { [table.name]: wanted } });
    const { Responses, UnprocessedKeys } = await named(table.name, () => table.client.send(request));
    found.push(...(Responses?.[table.name] ?? []));
    return UnprocessedKeys?.[table.name]?.Keys ?? [];
  };
  await untilDone(table.name, keys.map(keyOf), { backOff, step });
  return found;
}
