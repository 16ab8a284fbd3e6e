import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { argument, placeIn, targetArguments } from "../../../src/http/mcp/tool.ts";

describe("an argument", () => {
  it.each([
    ["", false],
    ["a", true],
    ["x".repeat(10), true],
    ["x".repeat(11), false],
  ])("%j is valid: %s", (text, isValid) => {
    expect(v.is(argument("A name.", 10), text)).toBe(isValid);
  });

  it("is refused if the tool does not have it", () => {
    const schema = v.strictObject(targetArguments);
    expect(v.is(schema, { target: "job/report", namespace: "batch" })).toBe(true);
    expect(v.is(schema, { target: "job/report", namespaces: "batch" })).toBe(false);
  });
});

it("without a cursor, an answer begins with its first item", () => {
  expect(placeIn({}, undefined)).toEqual([0]);
});
