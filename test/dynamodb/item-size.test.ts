import { describe, expect, it } from "vitest";
import { itemBytes } from "../../src/dynamodb/item-size.ts";

describe("the size of an item, as DynamoDB counts it", () => {
  it.each([
    ["a text is its UTF-8 bytes", { pk: { S: "Größe" } }, 2 + 7],
    ["bytes are themselves", { segment: { B: new Uint8Array(10) } }, 7 + 10],
    ["a number is a byte for two digits and one", { version: { N: "12345" } }, 7 + 4],
    ["a number's zeros at its end are nothing", { version: { N: "1000" } }, 7 + 2],
    ["nor is zero much", { version: { N: "0" } }, 7 + 1],
    ["a negative number is a byte more", { version: { N: "-12" } }, 7 + 3],
  ])("%s", (_, item, size) => {
    expect(itemBytes(item)).toBe(size);
  });
});
