import { describe, expect, it } from "vitest";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { createApi } from "../../../src/http/create-api.ts";
import { METRIC_MEDIA_TYPES } from "../../../src/count/metrics/render-metrics.ts";
import { withMetrics } from "../../support/stores/metered-tracker.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { tellWatchedClusters } from "../../support/story/watched-clusters.ts";
import { Story } from "../../support/story/story.ts";

async function stores() {
  const story = new Story();
  story.jobCreated();
  return withMetrics(await storesWithFacts(story.facts));
}

async function api(access: Parameters<typeof createApi>[0]["access"]) {
  return createApi({ stores: await stores(), access, now: () => 0, version: "0.0.0", onError: () => undefined });
}

const SHOWN = 'outlive_jobs{cluster="east",namespace="default",state="Pending"} 1';

describe("GET /metrics and /v1/metrics", () => {
  it.each(["/metrics", "/v1/metrics"])(
    "%s needs no token on loopback without one, for loopback names",
    async (path) => {
      const app = await api({ kind: "loopback" });
      const answer = await app.request(path, { headers: { host: "localhost:8080" } });
      expect(answer.headers.get("content-type")).toBe(METRIC_MEDIA_TYPES.prometheus);
      expect(await answer.text()).toContain(SHOWN);
      expect((await app.request(path, { headers: { host: "evil.example.org" } })).status).toBe(403);
    },
  );

  it.each(["/metrics", "/v1/metrics"])("%s needs the token of a reader elsewhere", async (path) => {
    const app = await api({ kind: "bearer", tokens: [tokenGrant("secret", "everything")] });
    expect((await app.request(path)).status).toBe(401);
    const answer = await app.request(path, { headers: { authorization: "Bearer secret" } });
    expect(await answer.text()).toContain(SHOWN);
  });

  it("answers in OpenMetrics to a scraper that prefers it", async () => {
    const app = await api({ kind: "inProcess" });
    const answer = await app.request("/metrics", { headers: { accept: "application/openmetrics-text;version=1.0.0" } });
    expect(answer.headers.get("content-type")).toBe(METRIC_MEDIA_TYPES.openmetrics);
    expect((await answer.text()).endsWith("# EOF\n")).toBe(true);
  });

  it.each([
    ["everything", true],
    [{ grants: [{ cluster: "east", namespaces: "all" }] }, false],
    [{ grants: [{ cluster: "east", namespaces: ["default"] }] }, false],
  ] as const)("to a reader of %j has figures of the server: %s", async (scope, isShown) => {
    const serverMetrics = { onAnswered: () => undefined, elapsed: () => 0, text: async () => "outlive_build_info 1\n" };
    const access = { kind: "bearer", tokens: [tokenGrant("secret", scope)] } as const;
    const options = { stores: await stores(), access, now: () => 0, version: "0.0.0", onError: () => undefined };
    const app = createApi({ ...options, serverMetrics });
    const text = await (await app.request("/metrics", { headers: { authorization: "Bearer secret" } })).text();
    expect(text.includes("outlive_build_info")).toBe(isShown);
    expect(text).toContain(SHOWN);
  });

  it("shows clusters and CronJobs where no sums over Jobs are stored, each gap once", async () => {
    const tracker = await storesWithFacts([]);
    const now = Date.parse("2026-06-01T12:00:00Z");
    await tellWatchedClusters(tracker, now);
    const access = { kind: "inProcess" } as const;
    const app = createApi({ stores: tracker, access, now: () => now, version: "0.0.0", onError: () => undefined });
    const text = await (await app.request("/v1/metrics")).text();
    expect(text).toContain(`outlive_cluster_last_heard_timestamp_seconds{cluster="prod-eu"} ${now / 1_000}`);
    expect(text).toContain(`outlive_gap_seconds_total{cluster="prod-us"} ${51 * 60}`);
    expect(text).toMatch(/outlive_cronjob_next_run_timestamp_seconds\{cluster="prod-eu",.*\} 17\d{8}/);
    expect(text).not.toContain("outlive_jobs");
    expect(await (await app.request("/v1/metrics")).text()).toBe(text);
  });
});
