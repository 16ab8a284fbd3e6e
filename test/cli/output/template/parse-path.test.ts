import { describe, expect, it } from "vitest";
import { parsePath, parseQuoted } from "../../../../cli/output/template/parse-path.ts";
import { TemplateText } from "../../../../cli/output/template/template-text.ts";

describe("a path in a template", () => {
  it.each([
    [
      ".a.b",
      [
        { kind: "field", name: "a" },
        { kind: "field", name: "b" },
      ],
    ],
    [".a\\.b/c", [{ kind: "field", name: "a.b/c" }]],
    ["..a", [{ kind: "descend" }, { kind: "field", name: "a" }]],
    ["['a.b']", [{ kind: "key", key: "a.b", fields: ["a", "b"] }]],
    ["['a\\.b']", [{ kind: "key", key: "a.b", fields: ["a.b"] }]],
    ["[-1]", [{ kind: "slice", start: -1, end: Number.POSITIVE_INFINITY, step: 1 }]],
    ["[1:5:2]", [{ kind: "slice", start: 1, end: 5, step: 2 }]],
  ])("%s has its steps", (text, steps) => {
    expect(parsePath(new TemplateText(text))).toEqual({ from: "current", steps });
  });

  it("ends before what is no part of it", () => {
    const input = new TemplateText(".a} b");
    parsePath(input);
    expect(input.at).toBe(2);
  });
});

describe("a text in quotes", () => {
  it.each([
    ['"a\\tb\\n"', "a\tb\n"],
    ["'it\\'s \"so\"'", 'it\'s "so"'],
    ['"\\\\n"', "\\n"],
  ])("%s is %j", (text, value) => {
    expect(parseQuoted(new TemplateText(text))).toBe(value);
  });
});
