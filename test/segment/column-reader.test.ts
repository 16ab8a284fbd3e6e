import { describe, expect, it } from "vitest";
import { ColumnReader } from "../../src/segment/column-reader.ts";
import { Damaged } from "../../src/segment/damaged.ts";

describe("a column of one repeated number", () => {
  it("ends after four million cells", () => {
    const reader = new ColumnReader([7]);
    for (let cell = 0; cell < 4_000_000; cell += 1) reader.number("a");
    expect(() => reader.number("a")).toThrow(Damaged);
  });
});
