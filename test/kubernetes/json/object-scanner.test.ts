import { describe, expect, it } from "vitest";
import { parseObject } from "../../../src/kubernetes/json/object-scanner.ts";

const nested = (depth: number, text: string): string =>
  `${'{"a":'.repeat(depth)}${JSON.stringify(text)}${"}".repeat(depth)}`;
const long = "x".repeat(16 * 1024);

describe("the text of an object", () => {
  it("is parsed", () => {
    expect(parseObject('{"a":[1]}')).toEqual({ a: [1] });
    expect(parseObject(nested(128, long))).toEqual(JSON.parse(nested(128, long)));
  });

  it.each([
    ["no JSON", "{a}"],
    ["no object", "[1]"],
    ["nested too deeply, with a long text", nested(129, long)],
    ["nested a million times", nested(1_000_000, "")],
    ["an array of 600,000 arrays", `{"a":[${"[],".repeat(600_000)}[]]}`],
  ])("is not read if it is %s", (_, text) => {
    expect(parseObject(text)).toBeUndefined();
  });
});
