import { describe, expect, it } from "vitest";
import { itemBytes } from "../../../src/adapters/dynamodb/item-size.ts";

describe("the size of an item, as DynamoDB counts it", () => {
  it.each([
    ["a text counts its UTF-8 bytes", { pk: { S: "Größe" } }, 2 + 7],
    ["binary data counts its bytes", { segment: { B: new Uint8Array(10) } }, 7 + 10],
    ["a number counts one byte per two digits, and one more", { version: { N: "12345" } }, 7 + 4],
    ["trailing zeros of a number do not count", { version: { N: "1000" } }, 7 + 2],
    ["zero counts one byte", { version: { N: "0" } }, 7 + 1],
    ["a negative number counts one byte more", { version: { N: "-12" } }, 7 + 3],
  ])("%s", (_, item, size) => {
    expect(itemBytes(item)).toBe(size);
  });
});
