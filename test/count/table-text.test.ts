import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CountTable } from "../../src/count/count-table.ts";
import { packTable, unpackTable } from "../../src/count/table-text.ts";
import { countCell } from "../support/stores/arbitrary-count-cell.ts";

describe("a table of counts as text", () => {
  it("is the same table when it is read", () => {
    fc.assert(
      fc.property(fc.array(countCell), (cells) => {
        const table = CountTable.of(cells);
        expect(unpackTable(packTable(table))?.cells()).toEqual(table.cells());
      }),
    );
  });

  it("is the same for equal tables, whatever their order", () => {
    fc.assert(
      fc.property(fc.array(countCell), (cells) => {
        expect(packTable(CountTable.of(cells.toReversed()))).toBe(packTable(CountTable.of(cells)));
      }),
    );
  });

  it("is read as an earlier version of Outlive wrote it", () => {
    const names = { namespace: "größer", group: "CronJob/x", state: "Complete", findings: "" } as const;
    const sums = { jobs: 3, podsSeen: 4, podsSucceeded: 2, podsFailed: 2, attention: 1, jobsAgain: 1 };
    const again = { needlessRuns: 1, needlessMillis: 61_000 };
    expect(unpackTable(WRITTEN_BEFORE)?.cells()[1]).toEqual({
      ...names,
      ...sums,
      ...again,
      durations: new Map([
        [100, 2],
        [130, 1],
      ]),
    });
  });

  it.each(["", "3abc", ...["1", "2"].flatMap(damaged)])(
    "is not read where it is damaged or of a later release: %j",
    (text) => {
      expect(unpackTable(text)).toBeUndefined();
    },
  );
});

/** By version 1 of the format. */
const WRITTEN_BEFORE =
  "1NcxBCsIwFATQu/z1gP9XceG24EJcuQ1ZxPZbA2la2giCeBZv4QV6MUmDu4E3My+Krtd5dI3OdDDkCNRNy3f56EQ25+ExrkKgehr" +
  "iabhunlluPrY+dn87+96ni7rmrm3mOblULuuhH4MmJdDR+VC40RCyGgZDIDAMsTCCHSpUdo2CrEaYUWFbCttSWDeCvTCztfb9Aw==";

function damaged(version: string): readonly string[] {
  return [version, `${version}!!!!`, version + Buffer.from("not compressed").toString("base64")];
}
