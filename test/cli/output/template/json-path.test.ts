import { describe, expect, it } from "vitest";
import { type JsonPath, type Step, valuesAt } from "../../../../cli/output/template/json-path.ts";

const DOCUMENT = { kind: "List", items: [{ name: "a", count: 1 }, { name: "b", count: 2 }, { name: "c" }] };

function valuesOf(...steps: Step[]): readonly unknown[] {
  return valuesAt({ from: "current", steps }, { document: "the document", current: DOCUMENT });
}

const ITEMS: Step = { kind: "field", name: "items" };
const COUNT: JsonPath = { from: "current", steps: [{ kind: "field", name: "count" }] };
const NAMES: Step = { kind: "field", name: "name" };

describe("a path", () => {
  it("begins at the current value or at the document", () => {
    expect(valuesAt({ from: "document", steps: [] }, { document: "the document", current: 1 })).toEqual([
      "the document",
    ]);
    expect(valuesOf()).toEqual([DOCUMENT]);
  });

  it.each<[string, Step, readonly unknown[]]>([
    ["==", { kind: "filter", left: COUNT, compared: { operator: "==", right: { literal: 1 } } }, ["a"]],
    ["!=", { kind: "filter", left: COUNT, compared: { operator: "!=", right: { literal: 1 } } }, ["b"]],
    [">=", { kind: "filter", left: COUNT, compared: { operator: ">=", right: COUNT } }, ["a", "b"]],
    ["<", { kind: "filter", left: COUNT, compared: { operator: "<", right: { literal: "2" } } }, []],
    ["existence", { kind: "filter", left: COUNT }, ["a", "b"]],
  ])("keeps by %s only elements that have the field", (_, filter, names) => {
    expect(valuesOf(ITEMS, filter, NAMES)).toEqual(names);
  });

  it("reads no property that is not data", () => {
    expect(valuesOf({ kind: "field", name: "constructor" })).toEqual([]);
    expect(valuesOf(ITEMS, { kind: "field", name: "length" })).toEqual([]);
  });
});
