import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Item } from "./attribute.ts";

/**
 * The size of an item as DynamoDB counts it (Developer Guide, "DynamoDB item sizes and formats"): the UTF-8 bytes of
 * each attribute's name and value. A number takes one byte per two significant digits, and one more. A write costs one
 * write unit per started KB. A read costs one read unit per 4 KB, or half a unit if it is eventually consistent.
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return value.B.length;
  if (value.N !== undefined) return numberBytes(value.N);
  return 1;
}

/** Leading and trailing zeros do not count; a negative number takes one more byte. */
function numberBytes(digits: string): number {
  const significant = digits.replace(/^-?0*|\.|0+$/g, "").length;
  return Math.ceil(significant / 2) + (digits.startsWith("-") ? 2 : 1);
}

/**
 * DynamoDB accepts items of 400 KB, including index entries. Outlive stays below this lower limit: a larger item is a
 * bug.
 */
const MAX_ITEM_BYTES = 300 * 1024;

/** Throws ItemTooLargeError. */
export function requireFit(table: string, item: Item): void {
  if (itemBytes(item) > MAX_ITEM_BYTES) throw new ItemTooLargeError(table, item);
}

/** An item is too large and was not written. */
class ItemTooLargeError extends Error {
  override readonly name = "ItemTooLargeError";

  constructor(table: string, item: Item) {
    const sizes = Object.entries(item).map(([name, value]) => `${name} ${valueBytes(value)}`);
    super(
      `Cannot write item ${item["pk"]?.S ?? "?"} ${item["sk"]?.S ?? "?"} to table ${table}: it has ` +
        `${itemBytes(item)} bytes, and the limit is ${MAX_ITEM_BYTES}. Its attributes have these sizes: ` +
        `${sizes.join(", ")}. Report this bug with the history of the Job.`,
    );
  }
}
