import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CountTable } from "../../src/count/count-table.ts";
import { countCell } from "../support/stores/arbitrary-count-cell.ts";

const cells = fc.array(countCell, { maxLength: 12 });

describe("a table of counts", () => {
  it("is what it was when a table was added and subtracted again", () => {
    fc.assert(
      fc.property(cells, cells, (these, those) => {
        const table = CountTable.of(these);
        const before = table.cells();
        table.addTable(CountTable.of(those));
        table.addTable(CountTable.of(those), -1);
        expect(table.cells()).toEqual(before);
      }),
    );
  });

  it("is empty when everything was subtracted", () => {
    fc.assert(
      fc.property(cells, (these) => {
        const table = CountTable.of(these);
        table.addTable(CountTable.of(these), -1);
        expect(table.isEmpty).toBe(true);
      }),
    );
  });

  it("has as many Jobs under other names", () => {
    fc.assert(
      fc.property(cells, (these) => {
        const table = CountTable.of(these);
        const renamed = table.renamed(() => ({ namespace: "", group: "" }));
        expect(renamed.jobs).toBe(table.jobs);
        expect(renamed.cells().every(({ namespace, group }) => namespace === "" && group === "")).toBe(true);
      }),
    );
  });

  it("adds durations by bucket, and drops buckets that become empty", () => {
    fc.assert(
      fc.property(countCell, (cell) => {
        const table = CountTable.of([{ ...cell, jobs: 1 }]);
        table.add({ ...cell, jobs: 1 });
        table.add({ ...cell, jobs: 0, durations: new Map() });
        const [found] = table.cells();
        expect(found?.durations).toEqual(new Map([...cell.durations].map(([bucket, n]) => [bucket, 2 * n])));
      }),
    );
  });
});
