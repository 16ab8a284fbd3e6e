import { afterAll, describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { AttentionEntry } from "../../../src/query/attention/attention.ts";
import { type AttentionQuery, readAttention } from "../../../src/query/attention/read-attention.ts";
import type { Scope } from "../../../src/query/access/scope.ts";
import { liveJobs } from "../../../src/projection/live-projection.ts";
import { MeteredTrackers, tell } from "../../support/stores/metered-tracker.ts";
import { runPortsWith } from "../../support/stores/run-ports.ts";
import { heardAfter, hourly, runAt } from "../../support/story/hourly-cron-job.ts";
import { restartedJobSet } from "../../support/story/run-story.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";

const trackers = new MeteredTrackers();
afterAll(() => trackers.clear());
const NOW = Date.parse("2026-01-02T00:00:00Z");
const ALL: AttentionQuery = { since: 0, now: NOW, limit: 200 };

function troubled(uid: string, said: Partial<JobAnswer> = {}): JobAnswer {
  return listedJob({ uid, name: uid, findings: [{ kind: "LimitReached", message: "", evidence: [] }], ...said });
}

async function read(jobs: readonly JobAnswer[], query: Partial<AttentionQuery> = {}, scope: Scope = "everything") {
  const { page, found } = await readAttention(await storesWith(jobs), scope, { ...ALL, ...query });
  if (page.outcome === "badCursor") throw new Error(page.problem);
  return { ...found, ...page };
}

function of(items: readonly AttentionEntry[]) {
  return items.map(({ severity, namespace }) => `${severity} ${namespace}`);
}

const failed = { verdict: { state: "Failed", final: true, basis: "both" } } as const;

describe("what needs attention", () => {
  it("is sorted by severity, then newest first", async () => {
    const { items, complete } = await read([
      troubled("a", { namespace: "done" }),
      troubled("b", { namespace: "old", ...failed }),
      troubled("c", { namespace: "new", finishedAt: second(99), ...failed }),
      troubled("d", { namespace: "runs", verdict: { state: "Running", final: false, basis: "both" } }),
      listedJob({ uid: "e", name: "e" }),
    ]);
    expect(of(items)).toEqual(["failed new", "failed old", "atRisk runs", "cleanedUp done"]);
    expect(complete).toBe(true);
  });

  it("begins at the given time", async () => {
    const jobs = [troubled("a", { namespace: "old" }), troubled("b", { namespace: "new", finishedAt: second(99) })];
    const { items, older } = await read(jobs, { since: Date.parse(second(50)) });
    expect(of(items)).toEqual(["cleanedUp new"]);
    expect(older).toBe(1);
    expect((await read(jobs)).older).toBeUndefined();
  });

  it("has what is at risk, however old it is", async () => {
    const stuck = troubled("a", { verdict: { state: "Running", final: false, basis: "both" } });
    expect(of((await read([stuck], { since: NOW })).items)).toEqual(["atRisk batch"]);
  });

  it("has the failed Jobs of a complete run as over", async () => {
    const ports = await runPortsWith(restartedJobSet());
    const { page } = await readAttention(ports, "everything", ALL);
    const items = page.outcome === "listed" ? page.items : [];
    expect(items.map(({ severity, kind, jobs, group }) => [severity, kind, jobs, group?.name])).toEqual([
      ["cleanedUp", "OutcomeUnknown", 2, "train"],
    ]);
  });

  it("has a CronJob for a selector by label if its Jobs match", async () => {
    const embedded = trackers.open();
    const { facts: heard, now } = heardAfter(4.5);
    await tell(embedded, [hourly(), ...[1, 2, 3, 4].flatMap((hours) => runAt(hours, "Failed").facts), ...heard]);
    const { meta, log, projections } = embedded;
    const ports = { jobs: await liveJobs(projections, meta), meta, log };
    const entriesFor = async (labels?: AttentionQuery["labels"]) => {
      const { page } = await readAttention(ports, "everything", { ...ALL, labels, now });
      return page.outcome === "listed" ? page.items.map(({ kind, jobs }) => `${kind} ${jobs}`) : [];
    };
    expect(await entriesFor()).toEqual(["ConsecutiveFailures 4"]);
    expect(await entriesFor([{ key: "team", operator: "notIn", values: ["a"] }])).toEqual(["ConsecutiveFailures 4"]);
    expect(await entriesFor([{ key: "team", operator: "in", values: ["a"] }])).toEqual([]);
  });

  it("is filtered by cluster, namespace, labels and grants", async () => {
    const jobs = [
      troubled("a", { namespace: "mine", labels: { app: "x" } }),
      troubled("b", { namespace: "theirs" }),
      troubled("c", { cluster: "west", namespace: "mine" }),
    ];
    const scope: Scope = { grants: [{ cluster: "east", namespaces: ["mine"] }] };
    expect((await read(jobs, {}, scope)).items.map(({ newest }) => newest?.uid)).toEqual(["a"]);
    expect((await read(jobs, { namespace: "theirs" })).items.map(({ newest }) => newest?.uid)).toEqual(["b"]);
    const labels = [{ key: "app", operator: "in", values: ["x"] }] as const;
    expect((await read(jobs, { labels })).items.map(({ newest }) => newest?.uid)).toEqual(["a"]);
  });

  it("has pages that together are the whole list", async () => {
    const jobs = Array.from({ length: 7 }, (_, n) => troubled(`u${n}`, { namespace: `n${n}` }));
    const whole = (await read(jobs)).items;
    const pages: AttentionEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(jobs, { limit: 3, cursor });
      pages.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual(whole);
  });

  it("says how far it reaches, and has older Jobs that still run", async () => {
    const many = Array.from({ length: 1_001 }, (_, n) => troubled(`u${n}`, { createdAt: second(100 + n) }));
    const live = troubled("live", { namespace: "runs", verdict: { state: "Running", final: false, basis: "both" } });
    const { items, complete, partial } = await read([...many, live, troubled("gone", { namespace: "gone" })]);
    expect({ complete, partial }).toEqual({ complete: false, partial: { since: second(101) } });
    expect(items.map(({ namespace, jobs }) => ({ namespace, jobs }))).toEqual([
      { namespace: "runs", jobs: 1 },
      { namespace: "batch", jobs: 1_000 },
    ]);
  });
});
