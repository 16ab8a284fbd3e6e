import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Item } from "./attribute.ts";

/**
 * The size of an item as DynamoDB counts it (Developer Guide, "DynamoDB item sizes and formats"): the UTF-8 bytes of every attribute's name and value;
 * a number takes a byte for each two significant digits and one more. Writing takes a write unit for each 1 KB begun, reading a read unit for each 4 KB,
 * or half of one where an answer may be a moment old.
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

/** Leading and trailing zeros are trimmed; a negative number takes one byte more. */
function numberBytes(digits: string): number {
  const significant = digits.replace(/^-?0*|\.|0+$/g, "").length;
  return Math.ceil(significant / 2) + (digits.startsWith("-") ? 2 : 1);
}

/** DynamoDB takes items of 400 KB, indexes counted in. Nothing here comes near: what does grows beyond what it was made for. */
export const MAX_ITEM_BYTES = 300 * 1024;

/** The item is larger than anything that is written here may be. It is not written. */
export class ItemTooLargeError extends Error {
  override readonly name = "ItemTooLargeError";

  constructor(table: string, item: Item) {
    const sizes = Object.entries(item).map(([name, value]) => `${name} ${valueBytes(value)}`);
    super(
      `An item of ${itemBytes(item)} bytes is not written to table ${table}: at most ${MAX_ITEM_BYTES} are. It has pk ${item["pk"]?.S ?? "?"}, sk ${item["sk"]?.S ?? "?"}; its attributes have ${sizes.join(", ")} bytes. Report this with the Job's history: states are split long before.`,
    );
  }
}
