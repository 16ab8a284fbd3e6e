import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../support/running/run-outlive.ts";
import { skipWithout } from "../support/running/skip-without.ts";
import { dashboardQueries } from "./dashboard-queries.ts";

const skip = skipWithout(spawnSync("prometheus", ["--version"]).status === 0, {
  dependency: "prometheus",
  untested: "the dashboard's queries and the alerts on a real Prometheus",
});

const RULES = new URL("../../deploy/prometheus/outlive.rules.yaml", import.meta.url);
const PATIENCE = { timeout: 90_000, interval: 250 };
const folder = scratchFolder();
let serving: Serving;
let prometheus: ChildProcess;
let url = "";

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The rules with seconds instead of minutes, so that an alert resolves within the test. */
function fastRules(): string {
  return readFileSync(RULES, "utf8")
    .replaceAll("offset 15m", "offset 8s")
    .replaceAll("offset 1h", "offset 8s")
    .replaceAll("[1h]", "[60s]")
    .replaceAll(/for: \d+m/g, "for: 0s");
}

async function startPrometheus(target: string): Promise<void> {
  const listen = `127.0.0.1:${await freePort()}`;
  const scrape = { job_name: "outlive", static_configs: [{ targets: [new URL(target).host] }] };
  const settings = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: ["rules.yml"],
    scrape_configs: [scrape],
  };
  writeFileSync(join(folder.path, "rules.yml"), fastRules());
  // JSON is YAML.
  writeFileSync(join(folder.path, "prometheus.yml"), JSON.stringify(settings));
  const args = ["--config.file=prometheus.yml", "--storage.tsdb.path=data", `--web.listen-address=${listen}`];
  prometheus = spawn("prometheus", args, { cwd: folder.path, stdio: "ignore" });
  url = `http://${listen}`;
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

async function query(text: string): Promise<readonly Sample[]> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(text)}`);
  const answer = (await response.json()) as {
    readonly status: string;
    readonly error?: string;
    readonly data?: { readonly result: readonly Sample[] };
  };
  expect(answer.error, text).toBeUndefined();
  return answer.data?.result ?? [];
}

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
    await startPrometheus(serving.url);
    await vi.waitFor(async () => expect(await numberOf('up{job="outlive"} offset 10s')).toBe(1), PATIENCE);
  }, 120_000);

  afterAll(async () => {
    const closed = once(prometheus, "close");
    prometheus.kill("SIGKILL");
    await closed;
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

  it.each(dashboardQueries)("answers the query of panel %s", async (_, text) => {
    const result = await query(text);
    expect(Array.isArray(result)).toBe(true);
  });

  it.each(["Jobs finished", "Findings so far", "Pods that ended without success, by category"])(
    "has series for panel %s",
    async (panel) => {
      const found = dashboardQueries.filter(([title]) => title === panel);
      expect(found).toHaveLength(1);
      for (const [, text] of found) expect((await query(text)).length).toBeGreaterThan(0);
    },
  );
});
