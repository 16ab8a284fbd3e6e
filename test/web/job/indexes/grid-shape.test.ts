import { describe, expect, it } from "vitest";
import { gridShape } from "../../../../web/job/indexes/grid-shape.ts";

describe("a grid of indexes", () => {
  it.each([
    [12, 700, 24],
    [1_000, 700, 20],
    [100_000, 700, 2],
    [1_000_000, 700, 1],
  ])("with %i indexes on %i pixels has cells of %i pixels", (count, width, cell) => {
    expect(gridShape(count, width).cell).toBe(cell);
  });
});
