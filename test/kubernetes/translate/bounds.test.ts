import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, cutText } from "../../../src/kubernetes/translate/bounds.ts";

const text = fc.string({ unit: "binary", maxLength: 300 });
const bytesIn = (value: string): number => new TextEncoder().encode(value).length;

describe("a text that is cut", () => {
  it.each([
    ["", 4, ""],
    ["abcd", 4, "abcd"],
    ["abcde", 4, "abcd"],
    ["ab\u00e9", 4, "ab\u00e9"],
    ["abc\u00e9", 4, "abc"],
    ["a\u20ac", 4, "a\u20ac"],
    ["ab\u20ac", 4, "ab"],
    ["\u{1f680}!", 4, "\u{1f680}"],
    ["a\u{1f680}", 4, "a"],
  ])("%j to %i bytes is %j", (given, maxBytes, cut) => {
    expect(cutText(given, maxBytes)).toBe(cut);
  });

  it("is its longest beginning that fits", () => {
    fc.assert(
      fc.property(text, fc.nat(300), (given, maxBytes) => {
        const cut = cutText(given, maxBytes);
        const next = given.codePointAt(cut.length);
        expect(given.startsWith(cut)).toBe(true);
        expect(bytesIn(cut)).toBeLessThanOrEqual(maxBytes);
        if (next !== undefined) expect(bytesIn(cut + String.fromCodePoint(next))).toBeGreaterThan(maxBytes);
      }),
    );
  });
});

describe("the bytes of a text", () => {
  it("are counted in UTF-8", () => {
    fc.assert(fc.property(text, (given) => bytesOf(given) === bytesIn(given)));
  });
});
