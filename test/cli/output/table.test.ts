import { describe, expect, it } from "vitest";
import { paintFor } from "../../../cli/output/paint.ts";
import { type Column, formatTable } from "../../../cli/output/table.ts";

interface Row {
  readonly name: string;
  readonly node?: string;
}
const columns: readonly Column<Row>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: () => "green" },
  { header: "NODE", cell: ({ node }) => node },
  { header: "LENGTH", cell: ({ name }) => name.length, wide: true },
];
const plain = { headers: true, wide: false, paint: paintFor("never", process.stdout) };

describe("a table", () => {
  it("has three spaces between columns, and nothing after the last cell", () => {
    expect(formatTable([{ name: "a", node: "node-1" }, { name: "longer" }], columns, plain)).toBe(
      "NAME     NODE\na        node-1\nlonger   <none>\n",
    );
  });

  it("has the wide columns only with -o wide", () => {
    expect(formatTable([{ name: "a" }], columns, { ...plain, wide: true })).toBe(
      "NAME   NODE     LENGTH\na      <none>   1\n",
    );
  });

  it("has no headers with --no-headers", () => {
    expect(formatTable([{ name: "a" }], columns, { ...plain, headers: false })).toBe("a   <none>\n");
  });

  it("is aligned by what a terminal shows: wide characters take two columns, combining marks none", () => {
    const rows = [{ name: "日本" }, { name: "e\u0301a" }, { name: "abcd" }];
    expect(formatTable(rows, columns, plain)).toBe("NAME   NODE\n日本   <none>\ne\u0301a     <none>\nabcd   <none>\n");
  });

  it("replaces control characters in text from a cluster", () => {
    const text = formatTable([{ name: "a\u001b[31m\u009b2J\u0007\nb\u202e" }], columns, plain);
    expect(text).toBe("NAME            NODE\na\ufffd[31m\ufffd2J\ufffd b\ufffd   <none>\n");
  });

  it("colours a cell without its padding", () => {
    const text = formatTable([{ name: "a", node: "n" }], columns, {
      ...plain,
      paint: paintFor("always", process.stdout),
    });
    expect(text).toBe("NAME   NODE\n\u001b[32ma\u001b[39m      n\n");
  });
});
