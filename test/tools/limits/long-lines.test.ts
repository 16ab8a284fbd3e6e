import { describe, expect, it } from "vitest";
import { longLines } from "../../../tools/limits/long-lines.ts";

const wide = `${"word ".repeat(24)}x`;

describe("a line of a source file", () => {
  it.each([
    [120, 0],
    [121, 1],
  ])("of %i columns is reported %i times", (columns, reports) => {
    expect(longLines("src/a.ts", `// ${"x".repeat(columns - 3)}\n`)).toHaveLength(reports);
  });

  it("is reported with its number and its columns", () => {
    expect(longLines("src/a.ts", `short\n${wide}\n`)).toEqual([
      { limit: "columns", path: "src/a.ts", line: 2, message: "121 columns, at most 120" },
    ]);
  });

  it("may be wider if it is one link, which cannot be broken", () => {
    expect(longLines("src/a.ts", `// https://example.org/${"a".repeat(120)}`)).toEqual([]);
  });
});

describe("a line of Markdown", () => {
  it.each([
    ["prose", wide, 1],
    ["a table", `| ${wide} |`, 0],
    ["a code block", `\`\`\`\n${wide}\n\`\`\``, 0],
    ["prose after a code block", `\`\`\`\ncode\n\`\`\`\n${wide}`, 1],
    ["a code block whose fence is longer than one inside", `\`\`\`\`\n\`\`\`\n${wide}\n\`\`\`\n${wide}\n\`\`\`\``, 0],
  ])("in %s", (_, text, reports) => {
    expect(longLines("docs/a.md", text)).toHaveLength(reports);
  });
});
