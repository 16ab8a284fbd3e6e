import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../../src/job/model/canonical.ts";

describe("the canonical text of a value", () => {
  it("sorts keys at every depth and omits undefined fields", () => {
    expect(canonical({ b: [{ d: 1, c: undefined, a: "x" }], a: true })).toBe('{"a":true,"b":[{"a":"x","d":1}]}');
  });

  it("parses to the same value, and is the same for keys in any order", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()))),
        (value) => {
          const backwards = Object.fromEntries(Object.entries(value).toReversed());
          expect(canonical(backwards)).toBe(canonical(value));
          expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });
});
