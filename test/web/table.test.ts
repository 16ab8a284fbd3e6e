import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { movedRow } from "../../web/table/moved-row.ts";
import { visibleRows } from "../../web/table/visible-rows.ts";

describe("the rows that a table draws", () => {
  it("are all that are in observation, and few others", () => {
    const numbers = { count: fc.nat(100_000), top: fc.nat(3_000_000), height: fc.integer({ min: 1, max: 3_000 }) };
    fc.assert(
      fc.property(numbers.count, numbers.top, numbers.height, (count, top, height) => {
        const { first, last } = visibleRows(count, { top, height }, 30);
        const inSight = { first: Math.floor(top / 30), last: Math.ceil((top + height) / 30) };
        expect(first).toBeGreaterThanOrEqual(0);
        expect(last).toBeLessThanOrEqual(count);
        expect(last - first).toBeLessThanOrEqual(inSight.last - inSight.first + 20);
        if (inSight.first < count) {
          expect(first).toBeLessThanOrEqual(inSight.first);
          expect(last).toBeGreaterThanOrEqual(Math.min(count, inSight.last));
        }
      }),
    );
  });
});

describe("a key in a table of 100 rows, 20 of them in observation", () => {
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
  ])("%s at row %i leads to %s", (key, at, to) => {
    expect(movedRow(key, at, 100, 20)).toBe(to);
  });
});
