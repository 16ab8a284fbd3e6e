import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromValue, toValue } from "../../../src/adapters/dynamodb/meta-value.ts";

const packed = fc
  .uint8Array({ minLength: 600, maxLength: 2_000 })
  .map((some) => JSON.stringify({ packed: Buffer.from(some).toString("base64") }));

describe("the value of a record", () => {
  it("is read as it was written", () => {
    const value = fc.oneof(fc.string({ unit: "grapheme", size: "large", maxLength: 3_000 }), packed);
    fc.assert(
      fc.property(value, (written) => {
        expect(toValue(fromValue(written))).toBe(written);
      }),
    );
  });

  it("takes about the size of its bytes, if it has them in base64", () => {
    fc.assert(
      fc.property(packed, (value) => {
        // Three quarters, and the code table of deflate.
        expect(fromValue(value).B?.length).toBeLessThan(value.length * 0.85);
      }),
    );
  });

  it("is text if it is short, as earlier releases stored all values", () => {
    const value = `{"note":"${"a".repeat(600)}"}`;
    expect(fromValue(value)).toEqual({ S: value });
    expect(toValue({ S: "a".repeat(2_000) })).toBe("a".repeat(2_000));
  });

  it.each([
    ["an unknown codec", Uint8Array.of(9, 1, 2)],
    ["damaged bytes", Uint8Array.of(1, 255, 255)],
  ])("is empty with %s, which no record's codec accepts", (_, B) => {
    expect(toValue({ B })).toBe("");
  });
});
