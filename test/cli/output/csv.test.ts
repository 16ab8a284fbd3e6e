import { describe, expect, it } from "vitest";
import { formatCsv } from "../../../cli/output/csv.ts";
import type { Column } from "../../../cli/output/table.ts";

type Cell = string | number | undefined;
const NAME: Column<Cell> = { header: "NAME", cell: (cell) => cell };

describe("a table as CSV", () => {
  it("ends every line with CRLF, and has the columns of a wide table", () => {
    const columns: readonly Column<Cell>[] = [NAME, { header: "AGE", wide: true, cell: () => 3 }];
    expect(formatCsv(["a", "b"], columns, { headers: true })).toBe("NAME,AGE\r\na,3\r\nb,3\r\n");
  });

  it("has exact values where a table has text for people", () => {
    const age: Column<Cell> = { header: "AGE", cell: () => "2d", csv: [{ header: "CREATED", cell: (cell) => cell }] };
    expect(formatCsv(["2026-01-01T00:00:00Z"], [age], { headers: true })).toBe("CREATED\r\n2026-01-01T00:00:00Z\r\n");
  });

  it("has no headers on request, and no cell that a spreadsheet would run", () => {
    expect(formatCsv(["=1+1", "a,b"], [NAME], { headers: false })).toBe('\'=1+1\r\n"a,b"\r\n');
  });
});
