import { describe, expect, it } from "vitest";
import { packMetrics, unpackMetrics } from "../../../../src/count/metrics/sums/metric-table-text.ts";
import { MetricTable } from "../../../../src/count/metrics/sums/metric-table.ts";

describe("the text of a table of metrics", () => {
  it("is short: a series of a namespace takes some ten bytes", () => {
    const table = new MetricTable();
    for (let n = 0; n < 500; n += 1) {
      const labels = {
        cluster: "east",
        namespace: "batch",
        owner_kind: "CronJob",
        owner: `report-${n}`,
        state: "Complete",
      };
      table.add({ series: { family: 2, kind: "counter", labels }, parts: new Map([[0, n]]) });
    }
    table.raised();
    expect(packMetrics(table).length).toBeLessThan(500 * 12);
  });

  it("cannot be read where it is damaged or of a later release", () => {
    expect(unpackMetrics("east", "1AAAA")).toBeUndefined();
    expect(unpackMetrics("east", "2")).toBeUndefined();
  });
});
