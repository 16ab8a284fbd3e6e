import { describe, expect, it } from "vitest";
import { MetricRegistry } from "../../../src/host/metrics/metric-registry.ts";

function registry() {
  const metrics = new MetricRegistry("x_");
  metrics.counter({ name: "a_total", help: "Counts a_total things", labels: ["kind"] }).inc({ kind: "k" });
  metrics.gauge("b_total", "A gauge with this suffix", () => 2);
  metrics.histogram({ name: "c_seconds", help: "Seconds" }, [1]).observe(0.5);
  return metrics;
}

const ownLines = (text: string) => text.split("\n").filter((line) => /\bx_/.test(line));

const SAMPLES = [
  'x_a_total{kind="k"} 1',
  "# HELP x_b_total A gauge with this suffix",
  "# TYPE x_b_total gauge",
  "x_b_total 2",
  "# HELP x_c_seconds Seconds",
  "# TYPE x_c_seconds histogram",
  'x_c_seconds_bucket{le="1"} 1',
  'x_c_seconds_bucket{le="+Inf"} 1',
  "x_c_seconds_sum 0.5",
  "x_c_seconds_count 1",
];

describe("the metrics of a process", () => {
  it("have the prefix, and come with those of Node and the process", async () => {
    const text = await registry().text("prometheus");
    expect(ownLines(text)).toEqual(["# HELP x_a_total Counts a_total things", "# TYPE x_a_total counter", ...SAMPLES]);
    expect(text).toContain("\nprocess_resident_memory_bytes ");
    expect(text).toContain("\nnodejs_version_info{");
  });

  it("declare counters without their suffix in OpenMetrics, and have no empty lines", async () => {
    const text = await registry().text("openmetrics");
    expect(ownLines(text)).toEqual(["# HELP x_a Counts a_total things", "# TYPE x_a counter", ...SAMPLES]);
    expect(text).toContain("# TYPE process_cpu_seconds counter\n");
    expect(text).not.toContain("\n\n");
    expect(text.endsWith("\n")).toBe(true);
  });

  it("show only the sets of labels that a gauge has now", async () => {
    const metrics = new MetricRegistry("x_");
    let shown = ["a", "b"];
    metrics.gauges({ name: "d", help: "Now", labels: ["name"] }, async () =>
      shown.map((name) => ({ labels: { name }, value: 3 })),
    );
    expect(ownLines(await metrics.text("prometheus")).slice(2)).toEqual(['x_d{name="a"} 3', 'x_d{name="b"} 3']);
    shown = ["b"];
    expect(ownLines(await metrics.text("prometheus")).slice(2)).toEqual(['x_d{name="b"} 3']);
  });
});
