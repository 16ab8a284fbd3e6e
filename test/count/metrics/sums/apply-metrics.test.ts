import { describe, expect, it } from "vitest";
import { AmountSums } from "../../../../src/count/metrics/sums/amount-sums.ts";
import { applyMetrics } from "../../../../src/count/metrics/sums/apply-metrics.ts";
import { readParts } from "../../../../src/count/metrics/sums/metric-parts.ts";
import type { Labels } from "../../../../src/ports/metric-store.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

const [east, west] = [clusterNamed("east"), clusterNamed("west")];

async function stage() {
  const meta = new MemoryMetaStore();
  for (const cluster of [east, west]) await meta.write("cluster", cluster, { value: "{}", expected: 0 });
  const sums = { meta, projection: "A" as const };
  return {
    apply: async (round: number, cluster: typeof east, owners: readonly string[], maxSeries = 10_000) => {
      const amounts = new AmountSums();
      for (const owner of owners) {
        const labels: Labels = { cluster, namespace: "batch", owner_kind: "CronJob", owner };
        amounts.add({ series: { family: 2, kind: "counter", labels }, part: 0, amount: 1 });
      }
      await applyMetrics(sums, { round, maxSeries, clusters: new Map([[cluster, amounts]]) });
    },
    parts: async (cluster = east) => (await readParts({ ...sums, cluster })).map(({ table }) => table.size),
    shown: async (cluster = east) =>
      (await readParts({ ...sums, cluster })).flatMap(({ table }) =>
        table.shown().map(({ labels, parts }) => [labels["owner"], parts.get(0)]),
      ),
  };
}

function owners(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `owner-${n}`);
}

describe("the differences of a round in the metrics", () => {
  it("are added once, however often the round is applied", async () => {
    const { apply, shown } = await stage();
    await apply(1, east, ["a"]);
    await apply(1, east, ["a"]);
    await apply(2, east, ["a", "b"]);
    expect(await shown()).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });

  it("of many series are in several parts, each of which is written only if it changes", async () => {
    const { apply, parts } = await stage();
    await apply(1, east, owners(1_200));
    expect(await parts()).toEqual([500, 500, 200]);
    await apply(2, east, ["new"]);
    expect(await parts()).toEqual([500, 500, 201]);
  });

  it("have at most so many series in all clusters together: further owners are summed", async () => {
    const { apply, shown } = await stage();
    await apply(1, east, owners(60), 100);
    await apply(2, west, owners(100), 100);
    expect((await shown(west)).length).toBeLessThanOrEqual(40);
    expect(await shown(west)).toContainEqual(["other", 70]);
    // What is summed stays so: an owner never moves.
    await apply(3, west, ["owner-99"], 100);
    expect(await shown(west)).toContainEqual(["other", 71]);
  });
});
