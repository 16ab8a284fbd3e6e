import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../../src/ports/files/yaml-file.ts";

const SCHEMA = v.strictObject({ items: v.array(v.strictObject({ size: v.number("Expected a number.") })) });

describe("a file of settings", () => {
  it.each(["items: [{ size: 1 }]", '{"items":[{"size":1}]}'])("is YAML or JSON: %s", (text) => {
    expect(readYaml(text, SCHEMA)).toEqual({ outcome: "read", content: { items: [{ size: 1 }] } });
  });

  it.each([
    ["items: [{ size: a }]", { path: "items[0].size", message: "Expected a number." }],
    ["items: [{ size: 1, colour: red }]", { path: "items[0].colour", message: "Unknown key." }],
    ["items: [{}]", { path: "items[0].size", message: "Missing." }],
  ])("names the path of a problem: %s", (text, problem) => {
    expect(readYaml(text, SCHEMA)).toEqual({ outcome: "rejected", problems: [problem] });
  });

  it("names at most 50 problems", () => {
    const read = readYaml(`items: [${"{}, ".repeat(60)}]`, SCHEMA);
    expect(read.outcome === "rejected" ? read.problems : []).toHaveLength(50);
  });

  it.each([
    ["is larger than 10 MB", "x".repeat(10_000_001), /larger than 10 MB/],
    ["is no YAML", "items: [", /^Invalid YAML: .*line 1, column \d+\.$/],
    [
      "has aliases of aliases",
      `a: &a [x]\n${"bcdefgh"
        .split("")
        .map((name, index) => `${name}: &${name} [${`*${"abcdefg"[index]},`.repeat(9)}]`)
        .join("\n")}\nitems: *h`,
      /^Invalid YAML: /,
    ],
  ])("is rejected if it %s", (_, text, message) => {
    const read = readYaml(text, SCHEMA);
    expect(read.outcome === "rejected" ? read.problems[0]?.message : "").toMatch(message);
  });
});
