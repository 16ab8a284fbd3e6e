import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValue, toValue } from "../../../src/adapters/dynamodb/meta-value.ts";
import { changesRecord } from "../../../src/ports/records/changes-record.ts";

const base64 = fc.uint8Array({ minLength: 1, maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString("base64"));

describe("the value of a record", () => {
  it("is read as it was written", () => {
    const text = fc.string({ unit: "grapheme" });
    const likePacked = fc.oneof(base64, text).map((packed) => `{"packed":"${packed}"}`);
    fc.assert(
      fc.property(fc.oneof(text, likePacked), (value) => {
        expect(toValue(fromValue(value))).toBe(value);
      }),
    );
  });

  it("is stored as bytes if it is nothing but bytes in base64, as for announced changes", () => {
    fc.assert(
      fc.property(base64, (packed) => {
        const { B } = fromValue(changesRecord.encode({ packed }));
        expect(Buffer.from(B ?? []).toString("base64")).toBe(packed);
      }),
    );
  });

  it.each([
    ["more fields", `{"packed":"aGk=","since":1}`],
    ["base64 of another form", `{"packed":"aGl="}`],
    ["no base64", `{"packed":"a b"}`],
    ["another field", `{"value":"aGk="}`],
  ])("is stored as text with %s", (_, value) => {
    expect(fromValue(value)).toEqual({ S: value });
  });
});
