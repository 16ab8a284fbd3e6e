import { describe, expect, it } from "vitest";
import { AmountSums } from "../../../../src/count/metrics/sums/amount-sums.ts";
import { continueMetrics } from "../../../../src/count/metrics/sums/continue-metrics.ts";
import { readParts, writePart } from "../../../../src/count/metrics/sums/metric-parts.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import { metricsKey } from "../../../../src/ports/meta-key.ts";
import type { Series } from "../../../../src/ports/metric-store.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

const cluster = clusterNamed("east");
const ended: Series = { family: 2, kind: "counter", labels: { cluster, namespace: "a" } };
const jobs: Series = { family: 1, kind: "gauge", labels: { cluster, namespace: "a" } };
const latest: Series = { family: 9, kind: "latest", labels: { cluster, namespace: "a" } };

/** A stage whose projections have these numbers. */
async function stage(numbers: Readonly<Record<"A" | "B", readonly (readonly [Series, number])[]>>) {
  const meta = new MemoryMetaStore();
  await meta.write("cluster", cluster, { value: "{}", expected: 0 });
  for (const projection of ["A", "B"] as const) {
    const table = new MetricTable();
    for (const [series, number] of numbers[projection]) table.add({ series, parts: new Map([[0, number]]) });
    table.raised();
    const part = { key: metricsKey(cluster, projection, 0), table, round: 1, version: 0 };
    if (table.size > 0) await writePart(meta, part);
  }
  return meta;
}

async function shownOf(meta: MemoryMetaStore): Promise<Readonly<Record<number, number | undefined>>> {
  const parts = await readParts({ meta, projection: "B", cluster });
  const shown = parts.flatMap(({ table }) => table.shown());
  return Object.fromEntries(shown.map(({ family, parts: numbers }) => [family, numbers.get(0)]));
}

describe("the metrics of a projection that begins to answer", () => {
  it("continue counters and instants, and have gauges of their own", async () => {
    const meta = await stage({
      A: [
        [ended, 9],
        [jobs, 3],
        [latest, 50],
      ],
      B: [
        [ended, 4],
        [jobs, 1],
        [latest, 40],
      ],
    });
    for (let times = 0; times < 2; times += 1) {
      await continueMetrics({ meta, from: "A", to: "B", ahead: new Map() });
      expect(await shownOf(meta)).toEqual({ 1: 1, 2: 9, 9: 50 });
    }
    const [part] = await readParts({ meta, projection: "B", cluster });
    part?.table.add({ series: ended, parts: new Map([[0, 1]]) });
    part?.table.raised();
    expect(
      part?.table
        .shown()
        .find(({ family }) => family === 2)
        ?.parts.get(0),
    ).toBe(10);
  });

  it("count what only they have of the Jobs that changed meanwhile", async () => {
    const meta = await stage({ A: [[ended, 9]], B: [[ended, 10]] });
    const ahead = new AmountSums();
    ahead.add({ series: ended, part: 0, amount: 2 });
    await continueMetrics({ meta, from: "A", to: "B", ahead: new Map([[cluster, ahead]]) });
    expect(await shownOf(meta)).toEqual({ 2: 11 });
  });

  it("have the series that only the earlier projection had", async () => {
    const meta = await stage({ A: [[ended, 9]], B: [] });
    await continueMetrics({ meta, from: "A", to: "B", ahead: new Map() });
    expect(await shownOf(meta)).toEqual({ 2: 9 });
  });
});
