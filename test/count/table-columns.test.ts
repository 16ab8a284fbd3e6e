import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CountTable, NO_SUMS } from "../../src/count/count-table.ts";
import { decodeColumns, encodeColumns } from "../../src/count/table-columns.ts";
import { countCell } from "../support/stores/arbitrary-count-cell.ts";

describe("a table of counts in columns", () => {
  it("is the same table when it is decoded", () => {
    fc.assert(
      fc.property(fc.array(countCell), (cells) => {
        const table = CountTable.of(cells);
        expect(decodeColumns(encodeColumns(table)).cells()).toEqual(table.cells());
      }),
    );
  });

  it("keeps the largest numbers", () => {
    const needlessMillis = Number.MAX_SAFE_INTEGER;
    const name = { namespace: "a", group: "", state: "Complete", findings: "" } as const;
    const cell = { ...NO_SUMS, ...name, jobs: 2 ** 40, needlessMillis, durations: new Map([[400, 2 ** 40]]) };
    expect(decodeColumns(encodeColumns(CountTable.of([cell]))).cells()).toEqual([cell]);
  });

  it("cannot be decoded from fewer bytes, whatever is cut off", () => {
    const name = { namespace: "a", group: "CronJob/x", state: "Failed", findings: "LimitReached" } as const;
    const bytes = encodeColumns(CountTable.of([{ ...NO_SUMS, ...name, jobs: 3, durations: new Map([[9, 3]]) }]));
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeColumns(bytes.subarray(0, length)), `${length} bytes`).toThrow();
    }
  });

  it("cannot be decoded where a cell has a name that the table lacks", () => {
    const name = { namespace: "a", group: "", state: "Complete", findings: "" } as const;
    const text = Buffer.from(encodeColumns(CountTable.of([{ ...NO_SUMS, ...name, jobs: 1, durations: new Map() }])));
    const damaged = Buffer.from(text.toString("latin1").replace('"namespaces":["a"]', '"namespaces":[   ]'), "latin1");
    expect(() => decodeColumns(damaged)).toThrow(RangeError);
  });
});
