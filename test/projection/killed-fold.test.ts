import { describe, expect, it } from "vitest";
import type { JobFact } from "../../src/job/model/fact.ts";
import type { LogItem } from "../../src/ports/log.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { readJob } from "../../src/projection/job-state/read-job.ts";
import { collect } from "../support/running/collect.ts";
import { KilledError, Process } from "../support/killed/killed-at.ts";
import { largeJobFacts, largeJobUid, podBeginFacts, podEndFacts } from "../support/facts/large-job-facts.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { sealInSegments } from "../support/stores/seal-in-segments.ts";

const cluster = clusterNamed("east");
const NOON = Date.UTC(2026, 0, 1, 12);
/** The process is gone: it does not retry. */
const once = { attempts: 1, pause: async () => undefined };
const PODS = 320;

/** Ends of so many Pods that the Job is stored in pages: the projection writes the pages first, then the state. */
function story(): { readonly before: readonly LogItem[]; readonly news: readonly LogItem[] } {
  const began: JobFact[] = [...largeJobFacts({ indexed: true, completions: PODS })];
  const ended: JobFact[] = [];
  for (let number = 0; number < PODS; number += 1) {
    began.push(...podBeginFacts(number, number));
    ended.push(...podEndFacts(number));
  }
  return {
    before: sealInSegments(began, began.length, NOON),
    news: sealInSegments(ended, ended.length, NOON + 60_000),
  };
}

async function seen(jobs: MemoryJobStore) {
  const view = await readJob(jobs, { cluster, jobUid: largeJobUid });
  if (view === undefined) throw new Error("The Job is missing.");
  return { job: view.job, pods: await collect(view.ownPods()), segments: await collect(view.logKeys()) };
}

function copyOf({ states, pages }: MemoryJobStore): MemoryJobStore {
  const copy = new MemoryJobStore();
  for (const [key, state] of states) copy.states.set(key, state);
  for (const [key, page] of pages) copy.pages.set(key, page);
  return copy;
}

/**
 * The stored content after the process was killed before its `countdown`-th request and its segments were delivered
 * again.
 */
async function killedAt(countdown: number, begun: MemoryJobStore, news: readonly LogItem[]) {
  const [jobs, meta] = [copyOf(begun), new MemoryMetaStore()];
  const process = new Process(countdown);
  const wasKilled = await projectSegments({ jobs: process.over(jobs), meta: process.over(meta) }, news, once).then(
    ({ refold }) => refold.length > 0,
    (error: unknown) => {
      if (error instanceof KilledError) return true;
      throw error;
    },
  );
  const left = await seen(jobs);
  await projectSegments({ jobs, meta }, news, once);
  return { wasKilled, left, again: await seen(jobs) };
}

describe("the fold of a large Job whose process is killed", () => {
  it("leaves the old or the new state, and the same Job after redelivery, whichever request was its last", async () => {
    const { before, news } = story();
    const begun = new MemoryJobStore();
    await projectSegments({ jobs: begun, meta: new MemoryMetaStore() }, before, once);
    const old = await seen(begun);
    const { left: whole } = await killedAt(Number.POSITIVE_INFINITY, begun, news);
    expect(whole).not.toEqual(old);
    let requests = 0;
    for (let wasKilled = true; wasKilled; requests += 1) {
      const after = await killedAt(requests, begun, news);
      expect(after.left).toEqual(after.wasKilled ? old : whole);
      expect(after.again).toEqual(whole);
      wasKilled = after.wasKilled;
    }
    // Reads, pages, the state: more than one of them is between the first page and the state.
    expect(requests).toBeGreaterThan(5);
  });
});
