import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { generatedHistory } from "../../../../cli/demo/generated/generated-history.ts";
import { importGenerated } from "../../../../cli/demo/import-generated.ts";
import type { JobAnswer } from "../../../../src/explain/answer-document.ts";
import type { NodesAnswer } from "../../../../src/explain/nodes/nodes-schema.ts";
import type { RunAnswer } from "../../../../src/explain/run/run-document.ts";
import { openEmbedded } from "../../../../src/host/embedded/embedded-tracker.ts";
import { inProcessClient } from "../../../../src/host/embedded/in-process-client.ts";
import type { CronJobAnswer } from "../../../../src/query/cron-jobs/cron-jobs.ts";
import { getItems, getJson } from "../../../../src/host/client/api-client.ts";

const NOW = Date.UTC(2026, 10, 29, 9, 5, 30);
vi.useFakeTimers({ toFake: ["Date"], now: NOW });
const history = generatedHistory(NOW);

const folder = mkdtempSync(join(tmpdir(), "outlive-generated-"));
const embedded = openEmbedded(":memory:");
const api = inProcessClient(embedded, "the demo");
const EU = "/v1/clusters/generated-eu/namespaces";

/** Of the frequent series, the runs of the last six days: the others are like them. */
const FIRST_RUN = NOW / 60_000 - 6 * 24 * 60;
const FREQUENT = /"(?:sync-inventory|import-orders|crawl-prices|etl-events|compact-tables)-(\d+)/;
const isKept = (line: string): boolean => Number(FREQUENT.exec(line)?.[1] ?? Infinity) > FIRST_RUN;
const reduced = history.map((one) => ({ ...one, lines: one.lines.filter(isKept) }));

beforeAll(async () => {
  await importGenerated(embedded, reduced, folder);
}, 180_000);
afterAll(() => {
  vi.useRealTimers();
  embedded.close();
  rmSync(folder, { recursive: true });
});

async function newestJob(cluster: string, owner: string): Promise<JobAnswer | undefined> {
  const { items } = await getItems<JobAnswer>(api, "/v1/jobs", { cluster, owner: `CronJob/${owner}`, limit: 1 });
  return items[0];
}

describe("the generated history", () => {
  it("is the same for the same instant", () => {
    expect(digestOf(generatedHistory(NOW))).toBe(digestOf(history));
  });

  it("has 4,000 to 8,000 Jobs, none of them created after that instant", () => {
    const created = history.flatMap(({ lines }) => lines).flatMap((line) => CREATED_JOB.exec(line)?.[1] ?? []);
    expect(created.length).toBeGreaterThan(4_000);
    expect(created.length).toBeLessThan(8_000);
    expect(created.filter((at) => Date.parse(at) > NOW)).toEqual([]);
  });

  it("says in the names of its clusters that it is generated", () => {
    expect(history.map(({ clusterName }) => clusterName)).toEqual(["generated-eu", "generated-us"]);
  });

  it("is imported once into a database", async () => {
    const kept = ["generated-eu", "generated-us"];
    expect(await importGenerated(embedded, history, folder)).toEqual({ imported: [], kept });
  });
});

function digestOf(recordings: typeof history): string {
  const hash = createHash("sha256");
  for (const { lines } of recordings) for (const line of lines) hash.update(line);
  return hash.digest("hex");
}

const CREATED_JOB = /^\{"type":"ADDED".*"kind":"Job".*?"creationTimestamp":"([^"]+)"/;

describe("the answers about it", () => {
  it("have CronJobs with missed runs, a slower trend, failures in a row, and a run beside the next one", async () => {
    const query = { cluster: "generated-eu", attention: true };
    const { items } = await getItems<CronJobAnswer>(api, "/v1/cronjobs", query);
    const found = items.map(({ name, findings = [] }) => [name, findings.map(({ kind }) => kind).sort()]);
    expect(Object.fromEntries(found)).toEqual({
      "nightly-report": ["MissedRun", "TrendSlower"],
      "import-orders": ["ConsecutiveFailures"],
      "crawl-prices": ["OverlappingRun"],
    });
  });

  it("have a Job that ran out of memory, and one whose image cannot be pulled", async () => {
    expect(await newestJob("generated-eu", "score-fraud")).toMatchObject({
      verdict: { state: "Failed" },
      cause: { category: "oom", attempts: 3 },
    });
    const job = await getJson<JobAnswer>(api, `${EU}/shop/jobs/migrate-catalog`, {});
    expect(job.waiting?.reason).toBe("ImagePull");
  });

  it("have runs that fail since a new image, beside earlier good ones", async () => {
    const failed = await newestJob("generated-eu", "import-orders");
    expect(failed).toMatchObject({ verdict: { state: "Failed" }, cause: { category: "application" } });
  });

  it("have a node that is worse than the others, by evictions", async () => {
    const { items } = await getJson<NodesAnswer>(api, "/v1/nodes", { cluster: "generated-eu" });
    expect(items[0]).toMatchObject({ node: "eu-node-3", worse: true, category: "eviction" });
  });

  it("have JobSets that wait in a queue, were preempted, and were started again", async () => {
    const [waiting, preempted, restarted] = await Promise.all(
      [140, 137, 134].map((number) => getJson<RunAnswer>(api, `${EU}/ml/runs/JobSet/train-ranker-${number}`, {})),
    );
    expect(waiting).toMatchObject({ verdict: { state: "Queued" }, queue: { name: "training", waits: [{}] } });
    expect(preempted?.queue).toMatchObject({ evictions: [{ reason: "Preempted" }], waits: [{}, {}] });
    expect(restarted?.attempts.map(({ state }) => state)).toEqual(["Failed", "Complete"]);
  });

  it("have needless re-runs in the cluster without finalizer tracking", async () => {
    const { items } = await getItems<JobAnswer>(api, "/v1/jobs", { cluster: "generated-us", attention: true });
    expect(new Set(items.flatMap(({ findings }) => findings.map(({ kind }) => kind)))).toEqual(
      new Set(["ReRunAfterSuccess"]),
    );
  });

  it("have a gap of almost an hour, and due times after the last data that are unknown", async () => {
    const { items } = await getItems<{ readonly from: string; readonly to: string }>(api, "/v1/gaps", {});
    const [gap] = items;
    expect(items).toHaveLength(1);
    expect(Date.parse(gap?.to ?? "") - Date.parse(gap?.from ?? "")).toBeGreaterThan(30 * 60_000);
  });
});
