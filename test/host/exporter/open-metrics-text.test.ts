import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { openMetricsText } from "../../../src/host/exporter/open-metrics-text.ts";

describe("metrics as OpenMetrics", () => {
  it("declare counters without their suffix, have no empty lines, and end", async () => {
    const registry = new Registry();
    const registers = [registry];
    new Counter({ name: "a_total", help: "Counts a_total things", labelNames: ["kind"], registers }).inc({ kind: "x" });
    new Gauge({ name: "b_total", help: "A gauge with this suffix", registers }).set(2);
    new Histogram({ name: "c_seconds", help: "Seconds", buckets: [1], registers }).observe(0.5);
    expect(openMetricsText(await registry.metrics()).split("\n")).toEqual([
      "# HELP a Counts a_total things",
      "# TYPE a counter",
      'a_total{kind="x"} 1',
      "# HELP b_total A gauge with this suffix",
      "# TYPE b_total gauge",
      "b_total 2",
      "# HELP c_seconds Seconds",
      "# TYPE c_seconds histogram",
      'c_seconds_bucket{le="1"} 1',
      'c_seconds_bucket{le="+Inf"} 1',
      "c_seconds_sum 0.5",
      "c_seconds_count 1",
      "# EOF",
      "",
    ]);
  });

  it("are only an end if there are none", () => {
    expect(openMetricsText("\n")).toBe("# EOF\n");
  });
});
