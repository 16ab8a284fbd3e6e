import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisMarks } from "../../../web/pictures/axis-scale.ts";

describe("the marks of an axis", () => {
  it.each([
    [0, "count", [0, 1]],
    [1, "count", [0, 1]],
    [9, "count", [0, 5, 10]],
    [37, "count", [0, 10, 20, 30, 40]],
    [250, "seconds", [0, 120, 240, 360]],
    [5_000, "seconds", [0, 1_800, 3_600, 5_400]],
    [400_000, "seconds", [0, 172_800, 345_600, 518_400]],
    [0.075, "share", [0, 0.02, 0.04, 0.06, 0.08]],
  ] as const)("up to %d (%s) are %j", (most, measure, expected) => {
    expect(axisMarks(most, measure).map((mark) => Number(mark.toFixed(4)))).toEqual(expected);
  });

  it("are at most six, and reach the largest value", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.constantFrom("count", "seconds"),
        (most, measure) => {
          const marks = axisMarks(most, measure);
          expect(marks.length).toBeLessThanOrEqual(6);
          expect((marks.at(-1) ?? 0) * 1.000_001).toBeGreaterThanOrEqual(most);
        },
      ),
    );
  });
});
