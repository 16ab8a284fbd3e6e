import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { createServerMetrics, type ServerGauges } from "../../../src/host/metrics/server-metrics.ts";
import { skipWithout } from "../../support/running/skip-without.ts";

const GAUGES: ServerGauges = {
  openStreams: () => 3,
  databaseFiles: () => [
    { file: "database", bytes: 4096 },
    { file: "wal", bytes: 0 },
  ],
  intake: () => ({ cluster: "laptop", segments: 2, bytes: 500, waitedMillis: 1_500 }),
  waitingNotices: async () => [{ receiver: "hook", waiting: 7 }],
};

function metricsOf(gauges: ServerGauges = GAUGES) {
  const metrics = createServerMetrics({ elapsed: () => 0 }, gauges);
  const request = { method: "GET", route: "/v1/jobs", status: 200, milliseconds: 20 };
  return { metrics, request, text: () => metrics.text("prometheus") };
}

const skip = skipWithout(spawnSync("promtool", ["--version"]).status === 0, {
  dependency: "promtool",
  untested: "names and units of the server's metrics (install the package prometheus)",
});

describe("the metrics of a server", () => {
  it("name the release, and have the gauges of this moment", async () => {
    const { text } = metricsOf();
    const lines = (await text()).split("\n");
    for (const line of [
      `outlive_build_info{version="${manifest.version}",node_version="${process.version}"} 1`,
      "outlive_http_open_streams 3",
      'outlive_database_size_bytes{file="database"} 4096',
      'outlive_database_size_bytes{file="wal"} 0',
      'outlive_ingest_lag_seconds{cluster="laptop"} 1.5',
      'outlive_projection_queue_segments{cluster="laptop"} 2',
      'outlive_projection_queue_bytes{cluster="laptop"} 500',
      'outlive_notifications_waiting{receiver="hook"} 7',
    ]) {
      expect(lines).toContain(line);
    }
  });

  it("have no figures of a cluster or a receiver where there is none", async () => {
    const { text } = metricsOf({ openStreams: () => 0, databaseFiles: () => [] });
    expect(await text()).not.toMatch(/^outlive_(ingest|projection|notifications|database)_/m);
  });

  it("count requests by method, route and code, and bound the methods", async () => {
    const { metrics, request, text } = metricsOf();
    metrics.onAnswered(request);
    metrics.onAnswered({ ...request, status: 404 });
    metrics.onAnswered({ ...request, method: "PROPFIND", route: "unmatched", status: 405 });
    const shown = await text();
    expect(shown).toContain('outlive_http_requests_total{method="GET",route="/v1/jobs",code="200"} 1\n');
    expect(shown).toContain('outlive_http_requests_total{method="GET",route="/v1/jobs",code="404"} 1\n');
    expect(shown).toContain('outlive_http_requests_total{method="other",route="unmatched",code="405"} 1\n');
    expect(shown).toContain('_duration_seconds_bucket{le="0.025",method="GET",route="/v1/jobs"} 2\n');
  });

  it("have no duration of a request whose client has left", async () => {
    const { metrics, request, text } = metricsOf();
    metrics.onAnswered({ ...request, status: 499, milliseconds: 60_000 });
    const shown = await text();
    expect(shown).toContain('code="499"} 1\n');
    expect(shown).not.toContain("_duration_seconds_count{");
  });

  it.skipIf(skip)("satisfy promtool", async () => {
    const { metrics, request, text } = metricsOf();
    metrics.onAnswered(request);
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
      input: await text(),
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});
