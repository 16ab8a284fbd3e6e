import { describe, expect, it } from "vitest";
import type { ListColumn, Value } from "../../../web/table/list-column.ts";
import { rowsAsCsv, rowsAsJson } from "../../../web/table/rows-as-file.ts";

type Row = Readonly<Record<string, Value>>;

function column(...fields: readonly string[]): ListColumn<Row> {
  const values = fields.map((name) => [name, (row: Row) => row[name]] as const);
  return {
    id: "any",
    header: "Any",
    class: "",
    rem: 1,
    shown: "standard",
    cell: () => "",
    fields: Object.fromEntries(values),
  };
}

const rows: readonly Row[] = [
  { name: "=HYPERLINK(1)", seconds: 1.5, findings: ["LimitReached", "gaps"] },
  { name: "two\nlines\u202e", findings: [] },
];

describe("shown rows as CSV", () => {
  it("have the names of the values as headers, and no cell that a spreadsheet would run", () => {
    expect(rowsAsCsv(rows, [column("name"), column("seconds", "findings")])).toBe(
      'name,seconds,findings\r\n\'=HYPERLINK(1),1.5,"LimitReached,gaps"\r\n"two\nlines\ufffd",,\r\n',
    );
  });

  it("have a value once that two columns show", () => {
    expect(rowsAsCsv([{ a: 1, b: 2 }], [column("a", "b"), column("b")])).toBe("a,b\r\n1,2\r\n");
  });

  it("are the headers alone without rows", () => {
    expect(rowsAsCsv([], [column("a")])).toBe("a\r\n");
  });
});

describe("shown rows as JSON", () => {
  it("have types, no absent values, and no character that hides others", () => {
    const text = rowsAsJson(rows, [column("name"), column("seconds", "findings")]);
    expect(text).toContain(String.raw`\u202e`);
    expect(text).not.toContain("\u202e");
    expect(JSON.parse(text)).toEqual(rows);
  });
});
