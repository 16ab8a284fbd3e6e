import { describe, expect, it } from "vitest";
import { printTemplate, valueText } from "../../../../cli/output/template/print-template.ts";

describe("what a template prints", () => {
  it.each([
    ["a\u001b[2Jb", "a\ufffd[2Jb"],
    [{ a: "\u001b" }, '{"a":"\\u001b"}'],
    [null, ""],
    [0.5, "0.5"],
    [false, "false"],
  ])("shows %j without control characters of a terminal", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it("prints the body of a range once for each value", () => {
    const path = { from: "current", steps: [] } as const;
    const each = { from: "current", steps: [{ kind: "wildcard" }] } as const;
    const body = [
      { kind: "path", path },
      { kind: "text", text: ";" },
    ] as const;
    expect(printTemplate([{ kind: "range", path: each, body }], { document: [], current: [1, 2] })).toBe("1;2;");
  });
});
