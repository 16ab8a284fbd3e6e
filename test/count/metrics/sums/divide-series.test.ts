import { describe, expect, it } from "vitest";
import { dividing } from "../../../../src/count/metrics/sums/divide-series.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import type { Series } from "../../../../src/ports/metric-store.ts";
import type { StoredSeries } from "../../../../src/ports/sums/metric-tables.ts";

const seriesOf = (kind: Series["kind"], namespace = "shop"): Series => ({
  family: kind === "counter" ? 3 : kind === "gauge" ? 1 : 9,
  kind,
  labels: { cluster: "east", namespace },
});

function tableOf(series: Series, ...parts: readonly (readonly [number, number])[]): MetricTable {
  const table = new MetricTable();
  table.add({ series, parts: new Map(parts) });
  table.raised();
  return table;
}

function stored(series: Series, ...parts: readonly (readonly [number, number])[]): StoredSeries {
  const [only] = tableOf(series, ...parts).stored();
  if (only === undefined) throw new Error("There is no series.");
  return only;
}

const sums = (divided?: StoredSeries) =>
  divided && Object.fromEntries([...divided.numbers].map(([part, { sum }]) => [part, sum]));

describe("a series that is divided", () => {
  it("is moved whole where no Job of its namespace exists", () => {
    const counter = stored(seriesOf("counter"), [0, 5]);
    expect(dividing(tableOf(seriesOf("counter", "bank"), [0, 5]))(counter)).toEqual({ rest: counter });
  });

  it("keeps of a counter what existing Jobs contribute, in each bucket", () => {
    const counter = stored(seriesOf("counter"), [0, 9], [1, 2], [3, 1]);
    const { kept, rest } = dividing(tableOf(seriesOf("counter"), [0, 4], [1, 1]))(counter);
    expect([sums(kept), sums(rest)]).toEqual([
      { 0: 4, 1: 1, 3: 0 },
      { 0: 5, 1: 1, 3: 1 },
    ]);
    expect([...(rest?.numbers.values() ?? [])].map(({ shown }) => shown)).toEqual([5, 1, 2]);
  });

  it("never keeps more than it has", () => {
    const counter = stored(seriesOf("counter"), [0, 3]);
    expect(dividing(tableOf(seriesOf("counter"), [0, 4]))(counter)).toEqual({ kept: counter });
  });

  it("keeps a gauge whole, because removed Jobs are in none", () => {
    const gauge = stored(seriesOf("gauge"), [0, 2]);
    expect(dividing(tableOf(seriesOf("counter"), [0, 1]))(gauge)).toEqual({ kept: gauge });
  });

  it("keeps the latest instant of existing Jobs, and moves a later one", () => {
    const latest = stored(seriesOf("latest"), [0, 7]);
    const { kept, rest } = dividing(tableOf(seriesOf("latest"), [0, 5]))(latest);
    expect([sums(kept), sums(rest)]).toEqual([{ 0: 5 }, { 0: 7 }]);
    expect(dividing(tableOf(seriesOf("latest"), [0, 7]))(latest)).toEqual({ kept: latest });
  });
});
