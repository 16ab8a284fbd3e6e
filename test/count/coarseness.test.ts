import { describe, expect, it } from "vitest";
import { coarsened, coarser, OTHER_OWNERS } from "../../src/count/coarseness.ts";
import { CountTable, NO_SUMS } from "../../src/count/count-table.ts";
import type { CountCell } from "../../src/ports/sums/job-sums.ts";

function cell(namespace: string, group: string): CountCell {
  return { ...NO_SUMS, namespace, group, state: "Complete", findings: "", jobs: 1, durations: new Map() };
}

const table = CountTable.of([cell("a", "CronJob/x"), cell("a", "CronJob/y"), cell("b", "CronJob/x"), cell("b", "")]);
const namesOf = (some: CountTable) => some.cells().map(({ namespace, group, jobs }) => [namespace, group, jobs]);

describe("a coarse table of counts", () => {
  it("distinguishes everything at first", () => {
    expect(coarsened(table, 0)).toBe(table);
  });

  it("then no owners, but whether a Job has one", () => {
    expect(namesOf(coarsened(table, 1))).toEqual([
      ["a", OTHER_OWNERS, 2],
      ["b", "", 1],
      ["b", OTHER_OWNERS, 1],
    ]);
  });

  it("then no namespaces either", () => {
    expect(namesOf(coarsened(table, 2))).toEqual([
      ["", "", 1],
      ["", OTHER_OWNERS, 3],
    ]);
  });

  it("is the same if it becomes coarser in steps, and before or after it is added", () => {
    expect(namesOf(coarsened(coarsened(table, 1), 2))).toEqual(namesOf(coarsened(table, 2)));
    const twice = CountTable.of([...table.cells(), ...table.cells()]);
    expect(namesOf(coarsened(twice, 1)).map(([, , jobs]) => jobs)).toEqual([4, 2, 2]);
    expect([coarser(0), coarser(1)]).toEqual([1, 2]);
  });
});
