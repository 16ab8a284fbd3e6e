import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, ColumnOrder } from "../../../web/table/column.ts";
import { canSortBy, readSort, shownOrder, sortAfterClick, sortedRows, sortText } from "../../../web/table/sort.ts";

interface Row {
  readonly id: number;
  readonly size?: number | string | undefined;
}

const SIZE: ColumnOrder<Row> = { by: "size", of: ({ size }) => size, first: "descending" };
const AGE: ColumnOrder<Row> = { by: "created", of: ({ id }) => id, first: "descending", isReversed: true };
const COLUMNS: readonly Column<Row>[] = [{ header: "Size", class: "", cell: () => "", order: SIZE }];

describe("an order in the address", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["-", undefined],
    ["name", { by: "name", descending: false }],
    ["-finished", { by: "finished", descending: true }],
    ["createdAt", { by: "created", descending: false }],
    ["label:team", { by: "label:team", descending: false }],
  ])("%j is %j", (text, sort) => {
    expect(readSort(text)).toEqual(sort);
  });

  it("is read as it was written", () => {
    const sorts = fc.record({ by: fc.stringMatching(/^[a-z:]{1,9}$/), descending: fc.boolean() });
    fc.assert(
      fc.property(sorts, (sort) => {
        expect(readSort(sortText(sort))).toEqual(sort);
      }),
    );
  });
});

describe("a click on a header", () => {
  it.each<[string, "ascending" | "descending", string]>([
    ["name", "descending", "-size"],
    ["name", "ascending", "size"],
    ["-size", "descending", "size"],
    ["size", "descending", "-size"],
  ])("of rows by %s, whose first direction is %s, sorts by %s", (before, first, after) => {
    expect(sortText(sortAfterClick({ ...SIZE, first }, readSort(before)))).toBe(after);
  });
});

describe("what a header says", () => {
  it.each<[ColumnOrder<Row> | undefined, string, string | undefined]>([
    [SIZE, "size", "ascending"],
    [SIZE, "-size", "descending"],
    [SIZE, "name", undefined],
    [undefined, "size", undefined],
    [AGE, "-created", "ascending"],
    [AGE, "created", "descending"],
  ])("of %o in a table by %s is %s", (order, sort, shown) => {
    expect(shownOrder(order, readSort(sort))).toBe(shown);
  });
});

describe("sorted rows", () => {
  it.each(["size", "-size"])("by %s have rows without a value last, and keep the order of equal ones", (text) => {
    const sizes = fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.array(sizes), (given) => {
        const rows = given.map((size, id): Row => ({ id, size }));
        const sorted = sortedRows(rows, COLUMNS, readSort(text));
        expect(sorted.toSorted((a, b) => a.id - b.id)).toEqual(rows);
        const places = sorted.map(({ size, id }) => {
          if (typeof size !== "number") return [9, id] as const;
          return [text === "size" ? size : 4 - size, id] as const;
        });
        expect(places).toEqual(places.toSorted(([a, i], [b, j]) => a - b || i - j));
      }),
    );
  });

  it("compares text as the server does, by code units", () => {
    const rows = ["b", "a", "B", "ä"].map((size, id): Row => ({ id, size }));
    expect(sortedRows(rows, COLUMNS, readSort("size")).map(({ size }) => size)).toEqual(["B", "a", "b", "ä"]);
  });

  it("by a column that the table does not have are unchanged", () => {
    const rows = [{ id: 2 }, { id: 1 }];
    expect(sortedRows(rows, COLUMNS, readSort("other"))).toBe(rows);
  });
});

describe("a list", () => {
  const server = new Set(["name"]);
  it.each([
    ["name", false, true],
    ["size", false, false],
    ["size", true, true],
  ])("is sorted by %s, with all rows loaded: %s: %s", (by, isComplete, can) => {
    expect(canSortBy(by, { server, isComplete })).toBe(can);
  });
});
