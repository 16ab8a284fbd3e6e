import { describe, expect, it } from "vitest";
import { movedRow } from "../../../web/table/moved-row.ts";

describe("a key in a table of 100 rows, 20 of them visible", () => {
  it.each([
    ["j", 5, 6],
    ["ArrowDown", 99, 99],
    ["k", 0, 0],
    ["ArrowUp", 5, 4],
    ["PageDown", 5, 25],
    ["PageDown", 95, 99],
    ["PageUp", 5, 0],
    ["Home", 50, 0],
    ["End", 50, 99],
    ["x", 50, undefined],
  ])("%s moves from row %i to %s", (key, row, target) => {
    expect(movedRow(key, { row, rowCount: 100, pageSize: 20 })).toBe(target);
  });
});
