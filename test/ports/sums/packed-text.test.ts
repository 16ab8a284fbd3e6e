import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompressed, packedJson, packText, readPackedJson, unpackText } from "../../../src/ports/sums/packed-text.ts";

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

function read(text: string) {
  return unpackText(text, { x: (bytes) => decompressed(bytes).toString() });
}

function mistake(): never {
  throw new TypeError("a mistake");
}

describe("bytes as short text", () => {
  it("name their format", () => {
    expect(read(packText("x", Buffer.from("größer")))).toBe("größer");
    expect(read(packText("y", Buffer.from("größer")))).toBeUndefined();
  });

  it("that the code cannot handle fail, instead of being taken for damaged ones", () => {
    expect(() => unpackText("x", { x: mistake })).toThrow(TypeError);
  });
});
