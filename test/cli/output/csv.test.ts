import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCsv } from "../../../cli/output/csv.ts";
import type { Column } from "../../../cli/output/table.ts";

type Cell = string | number | undefined;
const NAME: Column<Cell> = { header: "NAME", cell: (cell) => cell };

function bodyOf(cells: readonly Cell[]): string {
  return formatCsv(cells, [NAME], { headers: false });
}

/** The fields of one column by the grammar of RFC 4180. */
function fieldsIn(csv: string): readonly string[] {
  return [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))\r\n/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}

describe("a table as CSV", () => {
  it("ends every line with CRLF, and has the columns of a wide table", () => {
    const columns: readonly Column<Cell>[] = [NAME, { header: "AGE", wide: true, cell: () => 3 }];
    expect(formatCsv(["a", "b"], columns, { headers: true })).toBe("NAME,AGE\r\na,3\r\nb,3\r\n");
  });

  it("has exact values where a table has text for people", () => {
    const age: Column<Cell> = { header: "AGE", cell: () => "2d", csv: [{ header: "CREATED", cell: (cell) => cell }] };
    expect(formatCsv(["2026-01-01T00:00:00Z"], [age], { headers: true })).toBe("CREATED\r\n2026-01-01T00:00:00Z\r\n");
  });

  it.each<[Cell, string]>([
    [undefined, "\r\n"],
    ["a,b", '"a,b"\r\n'],
    ['say "hi"', '"say ""hi"""\r\n'],
    ["two\nlines", '"two\nlines"\r\n'],
    ["\u001b[2J", "\ufffd[2J\r\n"],
    [-5, "-5\r\n"],
  ])("%j is the line %j", (cell, line) => {
    expect(bodyOf([cell])).toBe(line);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"])(
    "%j gets an apostrophe, because a spreadsheet would run it",
    (text) => {
      expect(fieldsIn(bodyOf([text]))).toEqual([`'${text}`]);
    },
  );

  it("has every text in a field of its own, and no field that begins a formula", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary-ascii" })), (texts) => {
        const fields = fieldsIn(bodyOf(texts));
        expect(fields).toHaveLength(texts.length);
        expect(fields.filter((field) => /^[=+\-@\t\r\n]/.test(field))).toEqual([]);
      }),
    );
  });
});
