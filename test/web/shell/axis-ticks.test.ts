import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisTicks } from "../../../web/shell/axis-ticks.ts";

describe("the ticks of a time axis", () => {
  it("are within the axis, and not many more than requested", () => {
    const axis = fc.tuple(
      fc.nat(2_000_000_000),
      fc.integer({ min: 1, max: 40_000_000 }),
      fc.integer({ min: 1, max: 20 }),
    );
    fc.assert(
      fc.property(axis, ([from, seconds, most]) => {
        const to = from * 1_000 + seconds * 1_000;
        const ticks = axisTicks(from * 1_000, to, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 2);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(from * 1_000);
          expect(tick).toBeLessThanOrEqual(to);
        }
      }),
    );
  });
});
