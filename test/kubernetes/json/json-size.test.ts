import { describe, expect, it } from "vitest";
import { isWithinBounds } from "../../../src/kubernetes/json/json-size.ts";

describe("the bounds of a JSON text", () => {
  it.each([
    ["at the depth", '[[{"a":1}]]', true],
    ["beyond the depth", "[[[[", false],
    ["with brackets in a text", '["[[[[[[[[", "\\"[[[[["]', true],
    ["with many siblings", "[[],[],[],[]]", true],
    ["with too many siblings", "[[],[],[],[],[]]", false],
    ["with an unclosed text", '["[[[[', true],
  ])("%s: %s is %s", (_, text, isWithin) => {
    expect(isWithinBounds(Buffer.from(text), { depth: 3, containers: 5 })).toBe(isWithin);
  });
});
