import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../support/running/run-outlive.ts";
import { hasPrometheus, type Prometheus, startPrometheus } from "../support/running/prometheus.ts";
import { skipWithout } from "../support/running/skip-without.ts";
import { dashboardQueries } from "./dashboard-queries.ts";

const skip = skipWithout(hasPrometheus(), {
  dependency: "prometheus",
  untested: "the dashboard's queries and the alerts on a real Prometheus",
});

const PATIENCE = { timeout: 90_000, interval: 250 };
const folder = scratchFolder();
let serving: Serving;
let prometheus: Prometheus;

const query = (text: string) => prometheus.query(text);

async function numberOf(text: string): Promise<number | undefined> {
  const value = (await query(text))[0]?.value[1];
  return value === undefined ? undefined : Number(value);
}

async function importExample(...files: readonly string[]): Promise<void> {
  const args = ["import", "--cluster", "prod", "--database", "m.sqlite", ...files.map(example)];
  expect((await runOutlive(args, { cwd: folder.path })).status).toBe(0);
}

describe.skipIf(skip)("a Prometheus that scrapes outlive serve", () => {
  beforeAll(async () => {
    await importExample("ttl.ndjson.gz");
    const args = ["serve", "--database", "m.sqlite", "--listen", "127.0.0.1:0"];
    serving = await serveOutlive(args, { cwd: folder.path });
    prometheus = await startPrometheus(folder.path, serving.url);
    await vi.waitFor(async () => expect(await numberOf('up{job="outlive"} offset 10s')).toBe(1), PATIENCE);
  }, 120_000);

  afterAll(async () => {
    await prometheus.stop();
    await serving.stop("SIGTERM");
    await folder.remove();
  });

  it("raises no alert for Jobs that failed before its first scrape", async () => {
    expect(await numberOf('sum(outlive_jobs_finished_total{state="Failed"})')).toBe(1);
    expect(await query('ALERTS{alertname="OutliveJobsFailed"}')).toEqual([]);
  });

  it("raises an alert for Jobs that fail, which resolves by itself", async () => {
    await importExample("deadline.ndjson.gz", "deadline.audit.ndjson.gz");
    const firing = 'ALERTS{alertname="OutliveJobsFailed",alertstate="firing"}';
    await vi.waitFor(async () => expect((await query(firing)).length).toBeGreaterThan(0), PATIENCE);
    await vi.waitFor(async () => expect(await query(firing)).toEqual([]), PATIENCE);
    // It resolved although the counter still has them.
    expect(await numberOf('sum(outlive_jobs_finished_total{state="Failed"})')).toBeGreaterThan(1);
  }, 200_000);

  it("has metrics of the server itself, in the format that Prometheus prefers", async () => {
    expect(await numberOf("outlive_build_info")).toBe(1);
    expect(await numberOf('outlive_http_requests_total{route="/metrics", code="200"}')).toBeGreaterThan(0);
    expect(await numberOf('outlive_http_request_duration_seconds_count{route="/metrics"}')).toBeGreaterThan(0);
    expect(await numberOf('outlive_database_size_bytes{file="database"}')).toBeGreaterThan(0);
    expect(await numberOf('process_resident_memory_bytes{job="outlive"}')).toBeGreaterThan(0);
    // Nothing is watched here.
    expect(await query("outlive_ingest_lag_seconds")).toEqual([]);
  });

  it.each(dashboardQueries)("answers the query of panel %s", async (_, text) => {
    const result = await query(text);
    expect(Array.isArray(result)).toBe(true);
  });

  it.each([
    "Jobs finished",
    "Findings so far",
    "Pods that ended without success, by category",
    "Requests per second, by route and code",
    "Duration of requests, 95 %",
    "Size of the database",
    "Memory and CPU of the process",
  ])("has series for panel %s", async (panel) => {
    const found = dashboardQueries.filter(([title]) => title === panel);
    expect(found.length).toBeGreaterThan(0);
    for (const [, text] of found) expect((await query(text)).length).toBeGreaterThan(0);
  });
});
