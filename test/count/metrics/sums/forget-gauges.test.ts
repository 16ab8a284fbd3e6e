import { describe, expect, it } from "vitest";
import { forgetGauges } from "../../../../src/count/metrics/sums/forget-gauges.ts";
import { readParts, writePart } from "../../../../src/count/metrics/sums/metric-parts.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import { metricsKey } from "../../../../src/ports/meta-key.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

describe("gauges of a projection whose stream lost writes", () => {
  it("begin at 0; its counters remain", async () => {
    const cluster = clusterNamed("east");
    const of = { meta: new MemoryMetaStore(), projection: "A" as const, cluster };
    await of.meta.write("cluster", cluster, { value: "{}", expected: 0 });
    const table = new MetricTable();
    for (const [family, kind] of [[1, "gauge"] as const, [2, "counter"] as const]) {
      table.add({ series: { family, kind, labels: { cluster } }, parts: new Map([[0, 4]]) });
    }
    table.raised();
    await writePart(of.meta, { key: metricsKey(cluster, "A", 0), table, round: 1, version: 0 });
    await forgetGauges(of);
    const shown = (await readParts(of)).flatMap((part) => part.table.shown());
    expect(shown.map(({ family, parts }) => [family, parts.get(0)])).toEqual([
      [1, 0],
      [2, 4],
    ]);
  });
});
