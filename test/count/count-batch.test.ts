import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CountBatch, packBatch, unpackBatch } from "../../src/count/count-batch.ts";
import { CountTable } from "../../src/count/count-table.ts";
import { jobUid } from "../support/facts/names.ts";
import { countCell } from "../support/stores/arbitrary-count-cell.ts";
import { clusterOf } from "../support/story/listed-job.ts";
import { SumsUnreadableError } from "../../src/count/metrics/sums/sums-errors.ts";

const EAST = clusterOf("east");
const SERIES = { family: 1, kind: "counter", labels: { cluster: "east", namespace: "a#b" } } as const;
const AMOUNTS = [
  { series: SERIES, part: 0, amount: -3 },
  { series: SERIES, part: 7, amount: 12 },
];
const BATCH: CountBatch = {
  writes: 3,
  oldestAt: 5,
  newestAt: 9,
  hours: [],
  usage: [],
  runs: [
    { key: "east#a#0a1b", id: 7, run: { id: 7, createdAt: 1000, endedAt: 9000, millis: 8000, template: 3 } },
    { key: "east#a#0a1b", id: 8 },
  ],
  metrics: new Map([[EAST, AMOUNTS]]),
  jobs: [
    { key: { cluster: EAST, jobUid: jobUid("a") }, at: 9, createdAt: 4, amounts: AMOUNTS },
    { key: { cluster: EAST, jobUid: jobUid("b") }, at: 9, amounts: [] },
    { key: { cluster: EAST, jobUid: jobUid("a") }, isRun: true, at: 9, createdAt: 4, amounts: AMOUNTS },
  ],
};

function cellsOf({ hours }: CountBatch) {
  return hours.map(({ table, ...hour }) => [hour, table.cells()]);
}

describe("the differences of a batch", () => {
  it("are the same when they are read again, in every hour and cluster", () => {
    fc.assert(
      fc.property(fc.array(countCell, { maxLength: 12 }), fc.array(countCell), (some, others) => {
        const hours = [
          { cluster: EAST, hour: 3_600_000, table: CountTable.of(some) },
          { cluster: EAST, hour: 7_200_000, table: CountTable.of(others) },
          { cluster: clusterOf("west"), hour: 3_600_000, table: CountTable.of(others) },
          // Every change of this hour was undone.
          { cluster: clusterOf("west"), hour: 0, table: new CountTable() },
        ];
        const read = unpackBatch("key", packBatch({ ...BATCH, hours }, "12"));
        expect(cellsOf(read)).toEqual(cellsOf({ ...BATCH, hours }));
      }),
    );
  });

  it("have the numbers of metrics and of single Jobs", () => {
    const stored = packBatch(BATCH, "12");
    expect(stored).toMatchObject({ to: "12", writes: 3, oldestAt: 5, newestAt: 9 });
    expect(unpackBatch("key", stored)).toEqual(BATCH);
  });

  it.each([{ rest: "1AAAA" }, { rest: "?" }])("that are damaged are named ($rest)", (damage) => {
    expect(() => unpackBatch("A#s#1", { ...packBatch(BATCH, "12"), ...damage })).toThrow(SumsUnreadableError);
  });
});
