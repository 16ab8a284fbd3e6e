import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleRows } from "../../../web/table/visible-rows.ts";

describe("the rows that a table draws", () => {
  it("are all visible rows, and few others", () => {
    const numbers = { count: fc.nat(100_000), top: fc.nat(3_000_000), height: fc.integer({ min: 1, max: 3_000 }) };
    fc.assert(
      fc.property(numbers.count, numbers.top, numbers.height, (count, top, height) => {
        const { first, last } = visibleRows(count, { top, height }, 30);
        const visible = { first: Math.floor(top / 30), last: Math.ceil((top + height) / 30) };
        expect(first).toBeGreaterThanOrEqual(0);
        expect(last).toBeLessThanOrEqual(count);
        expect(last - first).toBeLessThanOrEqual(visible.last - visible.first + 20);
        if (visible.first < count) {
          expect(first).toBeLessThanOrEqual(visible.first);
          expect(last).toBeGreaterThanOrEqual(Math.min(count, visible.last));
        }
      }),
    );
  });
});
