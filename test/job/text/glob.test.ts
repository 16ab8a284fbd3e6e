import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../../src/job/text/glob.ts";

describe("a pattern", () => {
  it.each<[string, string, boolean]>([
    ["prod-eu", "prod-eu", true],
    ["prod-eu", "prod-eu-2", false],
    ["prod-*", "prod-", true],
    ["prod-*", "prod-eu", true],
    ["prod-*", "staging", false],
    ["*", "", true],
    ["", "", true],
    ["", "a", false],
    ["*-eu-*", "prod-eu-1", true],
    ["*-eu-*", "prod-us-1", false],
    ["a*b*c", "aXbYbc", true],
    ["a*b*c", "acb", false],
    ["a**c", "abc", true],
    ["a.c", "abc", false],
    ["[ab]?", "[ab]?", true],
  ])("%j and the text %j: %j", (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });

  it("with many stars takes few steps for a text that nearly matches", () => {
    const pattern = `${"a*".repeat(126)}b`;
    for (let index = 0; index < 1_000; index += 1) expect(matchesGlob(pattern, "a".repeat(253))).toBe(false);
  });
});
