import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { ROUTES } from "../../src/http/routes/routes.ts";
import { apiOver } from "../support/http/request-api.ts";
import { Story } from "../support/story/story.ts";
import { storesWithFacts } from "../support/stores/stores-with-facts.ts";
import { API_PARTS } from "../../src/host/optional/api-parts.ts";

const JOB = "/v1/clusters/east/namespaces/default/jobs";

/**
 * A Job of two Pods that succeeded, the first of which was deleted before it was counted; and a second Job of the same
 * name.
 */
function stories(): readonly Story[] {
  const first = new Story("eaten");
  first.jobCreated();
  first.jobUntracked();
  first.jobReported({ active: 1, startTime: first.now });
  first.podSucceeds("a", 10);
  first.podDeletionRequested("a", "Succeeded");
  first.podDeleted("a");
  first.podSucceeds("b", 20);
  first.jobReported({ active: 1, startTime: first.second(0) });
  const failed = new Story("failed", "2026-01-01T01:00:00Z");
  failed.jobCreated({ backoffLimit: 0 });
  failed.jobTracked();
  failed.podFails("a", 3, 5, { tracked: true });
  failed.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1, startTime: failed.second(0) });
  const indexed = new Story("indexed", "2026-01-01T02:00:00Z");
  indexed.jobCreated({ completions: 3, completionMode: "Indexed" });
  indexed.jobTracked();
  indexed.podSucceeds("a", 5, { index: 0, tracked: true });
  indexed.podCreated("b", { index: 1 });
  indexed.podStarted("b");
  indexed.jobReported({
    completedIndexes: "0",
    succeeded: 1,
    active: 1,
    startTime: indexed.second(0),
    uncounted: { succeeded: [], failed: [] },
  });
  return [first, failed, indexed];
}

async function recordedApi() {
  return apiOver(await storesWithFacts(stories().flatMap(({ facts }) => facts)));
}

describe("the API over recorded Jobs", () => {
  it.each([
    "/v1/jobs",
    "/v1/jobs?sort=-finished",
    `${JOB}/eaten`,
    `${JOB}/eaten/pods`,
    `${JOB}/eaten/history`,
    `${JOB}/eaten/why`,
    `${JOB}/failed`,
    `${JOB}/failed/why`,
    `${JOB}/indexed/indexes`,
    "/v1/clusters",
    "/v1/gaps",
    "/v1/summary",
    "/v1/healthz",
    "/v1/readyz",
  ])("answers %s as its own document describes it, and nothing beside", async (path) => {
    const { ask, errors } = await recordedApi();
    const { status, body } = await ask(path);
    expect({ status, errors }).toEqual({ status: 200, errors: [] });
    const route = [...ROUTES, ...API_PARTS.routes].find(({ template }) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?|$)`).test(path),
    );
    // A schema drops unknown fields, so the parsed answer must equal the whole answer.
    expect(v.parse(route?.answer ?? v.never(), body)).toEqual(body);
  });

  it("lists Jobs newest first, with their states", async () => {
    const { ask } = await recordedApi();
    const { items } = (await ask("/v1/jobs")).body as { readonly items: readonly JobAnswer[] };
    expect(items.map(({ name, verdict }) => [name, verdict.state])).toEqual([
      ["indexed", "Running"],
      ["failed", "Failed"],
      ["eaten", "Complete"],
    ]);
  });

  it("reports the proven success of a Job that Kubernetes forgot", async () => {
    const { ask } = await recordedApi();
    const job = (await ask(`${JOB}/eaten`)).body as JobAnswer;
    expect(job).toMatchObject({
      verdict: { state: "Complete", final: true, basis: "observed" },
      pods: { seen: 2, succeeded: 2 },
      reported: { status: { active: 1 } },
    });
    expect(job.findings.map(({ kind }) => kind)).toContain("ReRunAfterSuccess");
  });

  it("answers as of a time before the re-run", async () => {
    const { ask } = await recordedApi();
    const early = (await ask(`${JOB}/eaten?asOf=2026-01-01T00:00:05Z`)).body as JobAnswer;
    expect(early).toMatchObject({
      verdict: { state: "Running" },
      pods: { seen: 1, active: 1 },
      asOf: { time: "2026-01-01T00:00:05Z" },
    });
  });

  it("answers as of a time before the Job with its first fact", async () => {
    const { ask } = await recordedApi();
    expect(await ask(`${JOB}/failed?asOf=2026-01-01T00:30:00Z`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("2026-01-01T01:00:00Z") as string },
    });
  });

  it("answers as of a time before the log with where that begins", async () => {
    const { ask } = await recordedApi();
    expect(await ask(`${JOB}/eaten?asOf=2025-01-01T00:00:00Z`)).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringContaining("before the log of this cluster begins (2026-01-01T00:00:00Z)") as string,
      },
    });
  });

  it.each(["pods", "history"])("pages through %s without losing or repeating any", async (part) => {
    const { ask } = await recordedApi();
    const whole = (await ask(`${JOB}/eaten/${part}`)).body as { readonly items: readonly unknown[] };
    const paged: unknown[] = [];
    let cursor: string | undefined = "";
    while (cursor !== undefined) {
      const page = (await ask(`${JOB}/eaten/${part}?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)).body as {
        readonly items: readonly unknown[];
        readonly nextCursor?: string;
      };
      paged.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(whole.items);
    expect(paged.length).toBeGreaterThan(1);
  });

  it("lists history in the order of time", async () => {
    const { ask } = await recordedApi();
    const { items } = (await ask(`${JOB}/eaten/history`)).body as {
      readonly items: readonly { time: string; kind: string }[];
    };
    const times = items.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(items[0]?.kind).toBe("JobCreated");
  });

  it("lists the outcome of each index, also of those without a Pod", async () => {
    const { ask } = await recordedApi();
    expect((await ask(`${JOB}/indexed/indexes`)).body).toMatchObject({
      items: [
        { index: 0, state: "Succeeded", attempts: 1 },
        { index: 1, state: "Active", attempts: 1 },
        { index: 2, state: "Pending", attempts: 0 },
      ],
    });
    expect((await ask(`${JOB}/eaten/indexes`)).body).toEqual({ items: [] });
  });

  it("sums up what was done again, and for how long", async () => {
    const { ask } = await recordedApi();
    expect((await ask("/v1/summary")).body).toMatchObject({
      jobs: 3,
      byState: { Complete: 1, Failed: 1, Running: 1 },
      successRate: 0.5,
      reRuns: { jobs: 1, pods: 1, seconds: 20 },
    });
  });
});
