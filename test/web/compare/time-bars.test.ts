import { describe, expect, it } from "vitest";
import type { ComparedFieldAnswer, ComparisonAnswer } from "../../../src/explain/compare/comparison-document.ts";
import { percentOf, timeBars } from "../../../web/compare/time-bars.ts";

function side(value: number | undefined): ComparedFieldAnswer["before"] {
  return { text: "x", ...(value !== undefined && { value }) };
}

function clock(kind: "attempt" | "whole" | "waiting", before?: number, after?: number): ComparedFieldAnswer {
  return { kind, group: "time", title: kind, before: side(before), after: side(after) };
}

const after = {
  cluster: "c",
  namespace: "n",
  kind: "Job",
  name: "a",
  state: "Failed",
  completeness: "complete",
} as const;
const NOTHING: ComparisonAnswer = { answer: "", chosen: "given", after, differences: [], equal: [], unknown: [] };

describe("the bars of two runs", () => {
  it("are in the order of the clocks, with those that differ marked", () => {
    const comparison = { ...NOTHING, differences: [clock("whole", 10, 40)], equal: [clock("waiting", 1, 2)] };
    const { rows } = timeBars(comparison);
    expect(rows.map(({ field, before, after: last, differs }) => [field.kind, before, last, differs])).toEqual([
      ["waiting", 1, 2, false],
      ["whole", 10, 40, true],
    ]);
  });

  it("have one scale, which shows the usual time too", () => {
    expect(timeBars({ ...NOTHING, equal: [clock("whole", 10, 40)] }).longest).toBe(40);
    const expected = { runs: 10, p50: 50, p90: 80, max: 90 };
    expect(timeBars({ ...NOTHING, expected, equal: [clock("whole", 10, 40)] }).longest).toBe(80);
    expect(timeBars(NOTHING).longest).toBe(1);
  });

  it("do not exist for a time that is unknown", () => {
    const { rows } = timeBars({ ...NOTHING, unknown: [clock("attempt", 10)] });
    expect(rows[0]).toMatchObject({ before: 10, after: undefined, differs: false });
  });

  it.each([
    [0, "0%"],
    [10, "25%"],
    [13.37, "33.4%"],
    [40, "100%"],
  ])("of %d of 40 seconds are %s long", (seconds, percent) => {
    expect(percentOf(seconds, 40)).toBe(percent);
  });
});
