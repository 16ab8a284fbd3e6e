import { describe, expect, it } from "vitest";
import { UnfinishedRuns } from "../../../src/query/cron-jobs/unfinished-runs.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { jobUid } from "../../support/facts/names.ts";
import { WideMemoryStore } from "../../support/stores/wide-memory-store.ts";
import { clusterOf, listedJob, rowOf, second, storesWith } from "../../support/story/listed-job.ts";

const MINUTE = 60;
const now = Date.parse(second(60 * MINUTE));
const nightly = { cluster: "east", namespace: "batch", name: "nightly" };

function runOf(cronJob: string, createdAt: string, said: Partial<JobAnswer> = {}): JobAnswer {
  const owner = { kind: "CronJob", name: cronJob, uid: `uid-of-${cronJob}` };
  return listedJob({ name: `${cronJob}-1`, uid: `run-of-${cronJob}`, owner, createdAt, ...said });
}

function runningOf(cronJob: string, createdAt: string): JobAnswer {
  const { finishedAt: _, ...job } = runOf(cronJob, createdAt);
  return { ...job, verdict: { state: "Running", final: false, basis: "both" } };
}

/** The same Jobs in a store with wide lists that were swept at an instant. */
async function wideStores(jobs: readonly JobAnswer[], sweptTo: number) {
  const { meta } = await storesWith(jobs);
  const store = new WideMemoryStore(() => now);
  for (const job of jobs) {
    const key = { cluster: clusterOf(job.cluster), jobUid: jobUid(job.uid) };
    await store.write(key, { bytes: new Uint8Array(), row: rowOf(job) }, 0);
  }
  await store.wide.writeCoverage({ since: 0, sweptTo, isConverted: true }, 0);
  return { meta, jobs: store };
}

const stores = [
  ["a store with lists of namespaces", storesWith],
  ["a store with wide lists", (jobs: readonly JobAnswer[]) => wideStores(jobs, now)],
] as const;

describe.each(stores)("runs in progress in %s", (_, open) => {
  it.each([
    ["that began some minutes ago", runningOf("nightly", second(0)), true],
    ["that have just begun", runningOf("nightly", second(57 * MINUTE)), false],
    ["of another CronJob", runningOf("hourly", second(0)), false],
  ])("%s", async (_case, job, expected) => {
    const unfinished = await UnfinishedRuns.read(await open([job]), now);
    expect(unfinished.has(nightly)).toBe(expected);
  });

  it("are not those that ended", async () => {
    const unfinished = await UnfinishedRuns.read(await open([runOf("nightly", second(0))]), now);
    expect(unfinished.has(nightly)).toBe(false);
  });
});

describe("runs in progress in wide lists that no sweep has completed for long", () => {
  it("are possible of each CronJob", async () => {
    const unfinished = await UnfinishedRuns.read(await wideStores([], now - 60 * MINUTE * 1_000), now);
    expect(unfinished.has(nightly)).toBe(true);
  });
});
