import { describe, expect, it } from "vitest";
import { childOf, childrenOf, isNode, parseSource } from "../../../tools/mutate/syntax.ts";

describe("a syntax tree", () => {
  it("places nodes by characters, not by bytes", () => {
    const source = 'const x = "ä€😀"; f();';
    const call = childrenOf(parseSource(source)).at(1);
    expect(call && source.slice(call.start, call.end)).toBe("f();");
  });

  it("gives the nodes below a node in the order of its fields", () => {
    const [statement] = childrenOf(parseSource("f(1, g);"));
    const call = statement && childOf(statement, "expression");
    expect(call && childrenOf(call).map(({ type }) => type)).toEqual(["Identifier", "Literal", "Identifier"]);
    expect(call && childOf(call, "object")).toBeUndefined();
  });

  it.each([null, undefined, "Literal", 3, {}, { type: "Literal" }])("has no node %j", (value) => {
    expect(isNode(value)).toBe(false);
  });

  it("is not made of source that is not valid", () => {
    expect(() => parseSource("if (")).toThrow("Cannot parse the source: ");
  });
});
