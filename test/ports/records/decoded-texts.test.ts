import { describe, expect, it } from "vitest";
import { DecodedTexts } from "../../../src/ports/records/decoded-texts.ts";

/** Decodes JSON and counts how often. */
function counting(texts: DecodedTexts<unknown>) {
  const decoded: string[] = [];
  const read = (text: string): unknown =>
    texts.of(text, () => {
      decoded.push(text);
      return JSON.parse(text);
    });
  return { decoded, read };
}

describe("decoded texts", () => {
  it("decode equal texts once", () => {
    const { decoded, read } = counting(new DecodedTexts(100));
    expect([read("[1]"), read("[2]"), read("[1]")]).toEqual([[1], [2], [1]]);
    expect(decoded).toEqual(["[1]", "[2]"]);
  });

  it("forget the oldest texts when the new ones do not fit", () => {
    const { decoded, read } = counting(new DecodedTexts(6));
    for (const text of ["[1]", "[2]", "[3]", "[2]", "[1]"]) read(text);
    expect(decoded).toEqual(["[1]", "[2]", "[3]", "[1]"]);
  });

  it("do not remember a text that is longer than all of them may be", () => {
    const { decoded, read } = counting(new DecodedTexts(4));
    for (const text of ["[1]", "[1,2]", "[1,2]", "[1]"]) read(text);
    expect(decoded).toEqual(["[1]", "[1,2]", "[1,2]"]);
  });

  it("remember nothing of a text that cannot be decoded", () => {
    const { decoded, read } = counting(new DecodedTexts(100));
    expect(() => read("[")).toThrow(SyntaxError);
    expect(() => read("[")).toThrow(SyntaxError);
    expect(decoded).toEqual(["[", "["]);
  });
});
