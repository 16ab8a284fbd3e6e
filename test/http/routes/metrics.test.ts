import { describe, expect, it } from "vitest";
import { tokenGrant } from "../../../src/http/access/token-access.ts";
import { createApi } from "../../../src/http/create-api.ts";
import { METRIC_MEDIA_TYPES } from "../../../src/metrics/render-metrics.ts";
import { withMetrics } from "../../support/stores/metered-tracker.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
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

  it("says so where metrics are not stored", async () => {
    const { metrics: _, ...without } = await stores();
    const access = { kind: "inProcess" } as const;
    const app = createApi({ stores: without, access, now: () => 0, version: "0.0.0", onError: () => undefined });
    const answer = await app.request("/v1/metrics");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ title: "Metrics not available" });
  });
});
