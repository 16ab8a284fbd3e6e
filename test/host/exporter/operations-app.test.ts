import { Registry, Counter, Gauge, Histogram } from "prom-client";
import { describe, expect, it } from "vitest";
import { operationsApp, openMetricsText } from "../../../src/host/exporter/operations-app.ts";

function app(reasons: readonly string[]) {
  return operationsApp({ registry: new Registry(), reasons: () => reasons, problems: () => ["Grant nodes."] });
}

describe("the probes of an exporter", () => {
  it("report that the process is alive, even if it is not ready", async () => {
    expect((await app(["Not yet."]).request("/healthz")).status).toBe(200);
  });

  it("report readiness with problems, or the reasons why not", async () => {
    const ready = await app([]).request("/readyz");
    expect([ready.status, await ready.text()]).toEqual([200, "ok\nGrant nodes.\n"]);
    const waiting = await app(["Not yet."]).request("/readyz");
    expect([waiting.status, await waiting.text()]).toEqual([503, "Not yet.\n"]);
  });

  it("serve the metrics", async () => {
    const response = await app([]).request("/metrics");
    expect(response.headers.get("content-type")).toContain("text/plain");
    const accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4";
    const preferred = await app([]).request("/metrics", { headers: { accept } });
    expect(preferred.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(await preferred.text()).toBe("# EOF\n");
  });
});

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
