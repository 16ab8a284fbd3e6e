import { describe, expect, it } from "vitest";
import { countOf, fieldsOf, itemsOf, textOf, wholeOf } from "../../../src/kubernetes/json/json-field.ts";

describe("a JSON field", () => {
  it.each([
    ["text", "text"],
    ["", undefined],
    [7, undefined],
    [null, undefined],
    ["a\ud800b", "a\ufffdb"],
  ])("%j is the text %j", (value, expected) => {
    expect(textOf(value)).toBe(expected);
  });

  it.each([
    [3, 3, 3],
    [0, 0, 0],
    [-0, 0, 0],
    [-1, -1, undefined],
    [1.5, undefined, undefined],
    [2 ** 53, undefined, undefined],
    ["3", undefined, undefined],
  ])("%j is the whole number %j and the count %j", (value, whole, count) => {
    expect(wholeOf(value)).toBe(whole);
    expect(countOf(value)).toBe(count);
  });

  it.each([[null], [undefined], ["text"], [[1]]])("%j has no fields", (value) => {
    expect(fieldsOf(value)).toEqual({});
  });

  it.each([[null], [undefined], ["text"], [{ length: 1 }]])("%j has no items", (value) => {
    expect(itemsOf(value)).toEqual([]);
  });
});
