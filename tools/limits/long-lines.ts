import type { Problem } from "./problem.ts";

const MAX_COLUMNS = 120;

/** The lines of a source file or of Markdown that are wider than 120 columns. */
export function longLines(path: string, text: string): readonly Problem[] {
  const lines = path.endsWith(".md") ? proseOf(text) : text.split("\n");
  return lines.flatMap((line, index) => {
    const columns = line.length;
    if (columns <= MAX_COLUMNS || isOneLink(line)) return [];
    return [{ limit: "columns", path, line: index + 1, message: `${columns} columns, at most ${MAX_COLUMNS}` }];
  });
}

/** The lines of Markdown, without those of tables and code blocks: neither can be wrapped. */
function proseOf(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return "";
    }
    fence = mark;
    return mark !== undefined || line.trimStart().startsWith("|") ? "" : line;
  });
}

/** Whether the line has no space to break at, apart from its indentation or list marker: a long link. */
function isOneLink(line: string): boolean {
  return !/\S\s+\S/.test(line.replace(/^[\s>*#/-]+/, "")) && line.includes("://");
}
