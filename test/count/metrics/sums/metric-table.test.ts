import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JOB_START_DELAY, JOBS, JOBS_FINISHED } from "../../../../src/count/metrics/metric-families.ts";
import { packMetrics, unpackMetrics } from "../../../../src/count/metrics/sums/metric-table-text.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import type { Labels, Series } from "../../../../src/ports/metric-store.ts";
import type { StoredSeries } from "../../../../src/ports/sums/metric-tables.ts";

const jobs: Series = {
  family: JOBS.number,
  kind: "gauge",
  labels: { cluster: "east", namespace: "a", state: "Running" },
};
const ended: Series = { family: JOBS_FINISHED.number, kind: "counter", labels: { cluster: "east", namespace: "a" } };
const delay: Series = { family: JOB_START_DELAY.number, kind: "counter", labels: { cluster: "east", namespace: "a" } };
const latest: Series = { family: 9, kind: "latest", labels: { cluster: "east", namespace: "a", cronjob: "c" } };

function shownOf(table: MetricTable, { family }: Series): Readonly<Record<number, number>> {
  return Object.fromEntries(table.shown().find((series) => series.family === family)?.parts ?? []);
}

function add(table: MetricTable, series: Series, ...parts: readonly (readonly [number, number])[]): void {
  table.add({ series, parts: new Map(parts) });
  table.raised();
}

const moved = (stored: StoredSeries) => ({ rest: stored });

describe("a table of metrics", () => {
  it("shows a counter that fell as it was, until its sum has caught up", () => {
    const table = new MetricTable();
    add(table, ended, [0, 3]);
    add(table, ended, [0, -2]);
    expect(shownOf(table, ended)).toEqual({ 0: 3 });
    add(table, ended, [0, 1]);
    expect(shownOf(table, ended)).toEqual({ 0: 3 });
    add(table, ended, [0, 2]);
    expect(shownOf(table, ended)).toEqual({ 0: 4 });
  });

  it("shows a gauge as it is, and of instants the latest", () => {
    const table = new MetricTable();
    add(table, jobs, [0, 3]);
    add(table, jobs, [0, -2]);
    add(table, latest, [0, 20]);
    add(table, latest, [0, 10]);
    expect([shownOf(table, jobs), shownOf(table, latest)]).toEqual([{ 0: 1 }, { 0: 20 }]);
  });

  it("counts an observation once that moves to a lower bucket", () => {
    const table = new MetricTable();
    add(table, delay, [0, 9_000], [4, 1]);
    add(table, delay, [0, -7_000], [4, -1], [2, 1]);
    expect(shownOf(table, delay)).toEqual({ 0: 9_000, 2: 1, 4: 0 });
  });

  it("shows nothing of what was added and taken back before it is raised", () => {
    const table = new MetricTable();
    table.add({ series: ended, parts: new Map([[0, 1]]) });
    table.add({ series: ended, parts: new Map([[0, -1]]) });
    expect(table.raised()).toEqual([]);
    table.add({ series: ended, parts: new Map([[0, 2]]) });
    expect(table.raised().map(({ series }) => series)).toEqual([ended]);
    expect(table.raised()).toEqual([]);
    expect(shownOf(table, ended)).toEqual({ 0: 2 });
  });

  it("adds up series that have equal labels when it is relabelled", () => {
    const table = new MetricTable();
    const other = { ...ended, labels: { cluster: "east", namespace: "b" } };
    add(table, ended, [0, 3]);
    add(table, other, [0, 4]);
    const change = ({ namespace }: Labels) => (namespace === "b" ? ended.labels : undefined);
    expect(table.relabelled(() => undefined, moved)).toBeUndefined();
    expect(table.relabelled(change, (stored) => ({ kept: stored }))).toBeUndefined();
    const relabelled = table.relabelled(change, moved);
    expect(relabelled?.shown()).toMatchObject([{ labels: ended.labels, parts: new Map([[0, 7]]) }]);
  });

  it("has the sums of another table after it was summed again, and shows what it has shown", () => {
    const [table, sums] = [new MetricTable(), new MetricTable()];
    add(table, ended, [0, 3], [1, 1], [3, 2]);
    table.raised();
    add(sums, ended, [0, 2], [1, 1], [2, 1]);
    expect(table.resum(sums).map(({ numbers }) => numbers.size)).toEqual([4]);
    expect([0, 1, 2, 3].map((part) => table.numberOf(ended, part))).toEqual([
      { sum: 2, base: 0, shown: 3 },
      { sum: 1, base: 0, shown: 1 },
      { sum: 1, base: 0, shown: 1 },
      { sum: 0, base: 0, shown: 3 },
    ]);
    expect(table.resum(sums)).toEqual([]);
  });

  const change = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -3, max: 5 }));

  it("shows no bucket, with those below it, lower than before", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const table = new MetricTable();
        let before = [0, 0, 0, 0, 0];
        for (const one of changes) {
          add(table, delay, one);
          const shown = shownOf(table, delay);
          let below = 0;
          const now = [0, 1, 2, 3, 4].map((part) => {
            if (part === 0) return shown[0] ?? 0;
            below += shown[part] ?? 0;
            return below;
          });
          for (const [at, number] of now.entries()) expect(number).toBeGreaterThanOrEqual(before[at] ?? 0);
          before = now;
        }
      }),
    );
  });

  it("is the same after it was stored as text", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(jobs, ended, delay, latest), change)), (changes) => {
        const table = new MetricTable();
        for (const [series, one] of changes) add(table, series, one);
        for (const { series, numbers } of table.stored()) {
          if (series.kind !== "counter") continue;
          for (const [part, number] of numbers) table.set(series, part, { ...number, base: 7 });
        }
        table.raised();
        const unpacked = unpackMetrics("east", packMetrics(table));
        expect(unpacked?.stored()).toEqual(MetricTable.of(table.stored()).stored().map(sorted));
        expect(unpacked && packMetrics(unpacked)).toBe(packMetrics(table));
      }),
    );
  });
});

function sorted<One extends { readonly numbers: ReadonlyMap<number, unknown> }>(stored: One): One {
  return { ...stored, numbers: new Map([...stored.numbers].sort(([a], [b]) => a - b)) };
}
