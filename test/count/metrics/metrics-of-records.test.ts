import { describe, expect, it } from "vitest";
import { CRON_JOB_LAST_SUCCESS, GAP_SECONDS } from "../../../src/count/metrics/metric-families.ts";
import { MetricsOfRecords } from "../../../src/count/metrics/metrics-of-records.ts";
import type { Series } from "../../../src/ports/metric-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";

const [east, west] = [clusterNamed("east"), clusterNamed("west")];

function gaps(cluster: string): Series {
  return { family: GAP_SECONDS.number, kind: "counter", labels: { cluster } };
}

describe("the metrics of records", () => {
  it("are sums by series, of the last contribution of each record", async () => {
    const metrics = new MetricsOfRecords();
    const contribute = (cluster: typeof east, id: string, amount: number) =>
      metrics.contribute({ cluster, id }, { amounts: [{ series: gaps(cluster), part: 0, amount }], at: 0 });
    await contribute(east, "gap/a", 5);
    await contribute(east, "gap/a", 7);
    await contribute(east, "gap/b", 10);
    await contribute(west, "gap/a", 1);
    expect(await metrics.show()).toEqual([
      { ...gaps("east"), parts: new Map([[0, 17]]) },
      { ...gaps("west"), parts: new Map([[0, 1]]) },
    ]);
  });

  it("are the latest of instants", async () => {
    const metrics = new MetricsOfRecords();
    const series: Series = { family: CRON_JOB_LAST_SUCCESS.number, kind: "latest", labels: { cluster: "east" } };
    for (const [id, amount] of [
      ["cronjob/old", 20],
      ["cronjob/new", 10],
    ] as const) {
      await metrics.contribute({ cluster: east, id }, { amounts: [{ series, part: 0, amount }], at: 0 });
    }
    expect(await metrics.show()).toEqual([{ ...series, parts: new Map([[0, 20]]) }]);
  });

  it("never have to catch up with Jobs, which do not contribute", async () => {
    const metrics = new MetricsOfRecords();
    await metrics.caughtUp();
    expect(await metrics.isBehind()).toBe(false);
    expect(await metrics.show()).toEqual([]);
  });
});
