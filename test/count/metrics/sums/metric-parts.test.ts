import { describe, expect, it } from "vitest";
import { countSeries, readParts, writePart } from "../../../../src/count/metrics/sums/metric-parts.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";
import { metricsKey } from "../../../../src/ports/meta-key.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { SumsConflictError, SumsUnreadableError } from "../../../../src/count/metrics/sums/sums-errors.ts";

const of = { meta: new MemoryMetaStore(), projection: "A" as const, cluster: clusterNamed("east") };

function tableWith(owner: string): MetricTable {
  const table = new MetricTable();
  table.add({ series: { family: 2, kind: "counter", labels: { cluster: "east", owner } }, parts: new Map([[0, 1]]) });
  table.raised();
  return table;
}

describe("the parts of a cluster's metrics", () => {
  it("are read in their order, and counted without being read", async () => {
    for (const [at, owner] of ["a", "b"].entries()) {
      const key = metricsKey(of.cluster, "A", at);
      await writePart(of.meta, { key, table: tableWith(owner), round: 3, version: 0 });
    }
    const parts = await readParts(of);
    expect(parts.map(({ round, version, table }) => [round, version, table.size])).toEqual([
      [3, 1, 1],
      [3, 1, 1],
    ]);
    expect(await countSeries(of)).toBe(2);
    expect(await countSeries({ ...of, projection: "B" })).toBe(0);
  });

  it("are not overwritten where another process was faster", async () => {
    const part = { key: metricsKey(of.cluster, "A", 0), table: tableWith("c"), round: 4, version: 7 };
    await expect(writePart(of.meta, part)).rejects.toThrow(SumsConflictError);
  });

  it("report damage", async () => {
    const meta = new MemoryMetaStore();
    const value = JSON.stringify({ round: 1, series: 1, table: "9" });
    await meta.write("metrics", metricsKey(of.cluster, "A", 0), { value, expected: 0 });
    await expect(readParts({ ...of, meta })).rejects.toThrow(SumsUnreadableError);
  });
});
