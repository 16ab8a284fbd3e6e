import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** An item in the types of DynamoDB. */
export type Item = Readonly<Record<string, AttributeValue>>;

export function text(value: string): AttributeValue {
  return { S: value };
}

export function number(value: number): AttributeValue {
  return { N: String(value) };
}

export function bytes(value: Uint8Array): AttributeValue {
  return { B: value };
}

/** Attributes of items that Outlive wrote. An attribute of another type, or an absent one, is empty. */
export function textOf(item: Item, name: string): string {
  return item[name]?.S ?? "";
}

export function numberOf(item: Item, name: string): number {
  return Number(item[name]?.N ?? 0);
}

export function bytesOf(item: Item, name: string): Uint8Array {
  return item[name]?.B ?? new Uint8Array();
}
