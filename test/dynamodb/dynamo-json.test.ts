import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeDynamoJson, encodeDynamoJson } from "../../src/dynamodb/dynamo-json.ts";

const attribute = fc.oneof(
  fc.record({ S: fc.string() }),
  fc.record({ N: fc.integer().map(String) }),
  fc.record({ B: fc.uint8Array({ maxLength: 40 }) }),
);
const item = fc.dictionary(fc.oneof(fc.constant("B"), fc.constant("S"), fc.string()), attribute, {
  noNullPrototype: true,
});

describe("an input as DynamoDB's JSON", () => {
  it("has bytes as base64, also of a Buffer that is a part of a larger one", () => {
    const bytes = Buffer.from("xhello").subarray(1);
    expect(encodeDynamoJson({ Item: { state: { B: bytes }, pk: { S: "a" } } })).toBe(
      '{"Item":{"state":{"B":"aGVsbG8="},"pk":{"S":"a"}}}',
    );
  });

  it("is read again as it was, whatever its attributes are called", () => {
    fc.assert(
      fc.property(fc.array(item), (Items) => {
        // A key that JSON.parse takes for an object's prototype is no attribute of ours.
        fc.pre(Items.every((one) => !Object.hasOwn(one, "__proto__")));
        expect(decodeDynamoJson(encodeDynamoJson({ Items }))).toEqual({ Items });
      }),
    );
  });
});
