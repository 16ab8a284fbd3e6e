import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CountTable } from "../../src/counts/count-table.ts";
import { packTable, unpackTable } from "../../src/counts/table-text.ts";
import { countCell } from "../support/stores/arbitrary-count-cell.ts";

describe("a table of counts as text", () => {
  it("is the same table when it is read", () => {
    fc.assert(
      fc.property(fc.array(countCell), (cells) => {
        const table = CountTable.of(cells);
        expect(unpackTable(packTable(table))?.cells()).toEqual(table.cells());
      }),
    );
  });

  it("is the same for equal tables, whatever their order", () => {
    fc.assert(
      fc.property(fc.array(countCell), (cells) => {
        expect(packTable(CountTable.of(cells.toReversed()))).toBe(packTable(CountTable.of(cells)));
      }),
    );
  });

  it.each(["", "2abc", "1", "1!!!!", `1${Buffer.from("not compressed").toString("base64")}`])(
    "is not read where it is damaged or of a later release: %j",
    (text) => {
      expect(unpackTable(text)).toBeUndefined();
    },
  );
});
