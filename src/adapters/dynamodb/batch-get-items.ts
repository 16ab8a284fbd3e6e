import { type AttributeValue, BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import type { Retry } from "../../ports/concurrency/retry.ts";
import type { Item } from "./attribute.ts";
import { type DynamoTable, type ItemKey, keyOf, named, projectionOf } from "./dynamo-table.ts";
import { untilDone } from "./until-done.ts";

/** BatchGetItem accepts 100 keys and returns 16 MB. The rest is returned as unprocessed, like throttled keys. */
const MAX_KEYS = 100;

interface BatchGetOptions {
  readonly attributes: readonly string[];
  readonly retry: Retry;
  /** Strongly consistent reads cost twice as many read units. @default false */
  readonly consistent?: boolean;
}

/**
 * Reads the given attributes of the items that exist, in any order. A read costs half a read unit per 4 KB of an item,
 * whichever attributes it returns. Reads are eventually consistent, like the index from which the keys come. DynamoDB
 * rejects duplicate keys.
 */
export async function batchGet(
  table: DynamoTable,
  keys: readonly ItemKey[],
  options: BatchGetOptions,
): Promise<readonly Item[]> {
  const chunks = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, chunk) =>
    keys.slice(chunk * MAX_KEYS, (chunk + 1) * MAX_KEYS),
  );
  const found = await Promise.all(chunks.map((chunk) => getChunk(table, chunk, options)));
  return found.flat();
}

async function getChunk(
  table: DynamoTable,
  keys: readonly ItemKey[],
  { attributes, retry, consistent = false }: BatchGetOptions,
) {
  const found: Item[] = [];
  const step = async (rest: readonly Record<string, AttributeValue>[]) => {
    const keysAndAttributes = {
      Keys: [...rest],
      ...projectionOf(attributes),
      ConsistentRead: consistent,
    };
    const request = new BatchGetItemCommand({ RequestItems: { [table.name]: keysAndAttributes } });
    const { Responses, UnprocessedKeys } = await named(table.name, () => table.client.send(request));
    found.push(...(Responses?.[table.name] ?? []));
    return UnprocessedKeys?.[table.name]?.Keys ?? [];
  };
  await untilDone(table.name, keys.map(keyOf), { retry, step });
  return found;
}
