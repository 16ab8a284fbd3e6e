import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packedJson, readPackedJson } from "../../../src/metrics/sums/packed-json.ts";

describe("JSON as short text", () => {
  it("is the same value again", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json: unknown = JSON.parse(JSON.stringify(value));
        expect(readPackedJson(packedJson(value))).toEqual(json);
      }),
    );
  });

  it("cannot be read where it is damaged or of a later release", () => {
    for (const text of ["", "2abc", "1!", `1${Buffer.from("no").toString("base64")}`]) {
      expect(readPackedJson(text)).toBeUndefined();
    }
  });
});
