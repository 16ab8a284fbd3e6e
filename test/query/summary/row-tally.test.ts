import { describe, expect, it } from "vitest";
import { summariseJobs } from "../../../src/query/summary/summarise-jobs.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";
import { listedJob, second, storesWith } from "../../support/story/listed-job.ts";

/** Jobs created in these seconds, in two namespaces. */
async function storesOf(seconds: readonly number[]) {
  const jobs = seconds.map((at, n) =>
    listedJob({ uid: `u${n}`, namespace: n % 2 === 0 ? "batch" : "web", createdAt: second(at) }),
  );
  return storesWith(jobs);
}

describe("a summary that reads at most three Jobs", () => {
  it.each([
    ["of two Jobs is complete", [1, 2], { jobs: 2, complete: true }],
    ["of three Jobs is complete", [1, 2, 3], { jobs: 3, complete: true }],
    ["of four Jobs counts the newest three, and says from where on", [1, 2, 3, 4], from(3, 2)],
    ["counts every Job of the instant from which on it counts", [1, 2, 2, 3, 4], from(4, 2)],
    ["ends at twice the bound within one instant", [1, 1, 1, 1, 1, 1, 1], { jobs: 6, complete: false }],
    ["is complete if all Jobs beyond the bound are of its last instant", [2, 2, 2, 3, 4], { jobs: 5, complete: true }],
  ])("%s", async (_, seconds, expected) => {
    const summary = await summariseJobs(await storesOf(seconds), "everything", { filter: {}, bound: 3 });
    expect(summary).toMatchObject(expected);
    expect(summary.partial === undefined).toBe(summary.complete);
  });

  it("is complete for a reader whose own Jobs it has read", async () => {
    const scope = { grants: [{ cluster: "east", namespaces: ["web"] }] };
    const summary = await summariseJobs(await storesOf([1, 2, 3, 4, 5, 6]), scope, { filter: {}, bound: 3 });
    expect(summary).toMatchObject({ jobs: 3, complete: true });
  });
});

/** Jobs of the first two hours of the day. The Pod of each starts after so many seconds. */
async function storesOfDelays(delays: readonly number[]) {
  const facts = delays.flatMap((delay, n) => {
    const story = new Story(`job-${n}`, `2026-01-01T0${n % 2}:00:00Z`);
    story.jobCreated();
    story.podCreated("a");
    story.after(delay);
    story.podStarted("a");
    return story.facts;
  });
  return storesWithFacts(facts);
}

describe("the start delays of a summary", () => {
  it("are those of each group, and only on request", async () => {
    const { meta, log, projections } = await storesOfDelays([10, 5, 30]);
    const stores = { meta, log, jobs: projections.open("A") };
    const query = { filter: {}, by: "hour" } as const;
    const { groups = [], startDelaySeconds } = await summariseJobs(stores, "everything", {
      ...query,
      startDelays: true,
    });
    expect(startDelaySeconds).toMatchObject({ p50: 10, max: 30 });
    expect(groups.map((group) => group.startDelaySeconds?.max)).toEqual([30, 5]);
    expect((await summariseJobs(stores, "everything", query)).startDelaySeconds).toBeUndefined();
  });

  it("are read for a bounded number of Jobs, and the summary says so", async () => {
    const { meta, log, projections } = await storesOfDelays([10, 5, 30, 7]);
    const stores = { meta, log, jobs: projections.open("A") };
    const summary = await summariseJobs(stores, "everything", { filter: {}, startDelays: true, bound: 2 });
    expect(summary).toMatchObject({ jobs: 2, complete: false, startDelaySeconds: { max: 7 } });
  });
});

function from(jobs: number, at: number) {
  return { jobs, complete: false, partial: { since: second(at) } };
}
