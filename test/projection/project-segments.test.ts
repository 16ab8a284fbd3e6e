import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical } from "../../src/job/model/canonical.ts";
import { type Fact, isJobFact } from "../../src/job/model/fact.ts";
import type { JobUid } from "../../src/job/model/ids.ts";
import { emptyJob, factsOf, foldJobs } from "../../src/job/model/job-record.ts";
import type { PodRecord } from "../../src/job/model/pod-record.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../src/job/model/order.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import type { EncodedJobState } from "../../src/ports/job-row.ts";
import type { JobKey, WriteOutcome } from "../../src/ports/jobs.ts";
import type { LogItem } from "../../src/ports/log.ts";
import { projectSegments } from "../../src/projection/project-segments.ts";
import { readJob } from "../../src/projection/job-state/read-job.ts";
import type { Retry } from "../../src/ports/concurrency/retry.ts";
import { decodeSegment } from "../../src/segment/decode-segment.ts";
import { arbitraryFact } from "../support/facts/arbitrary-facts.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryJobStore } from "../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { clusterNamed, jobUid } from "../support/facts/names.ts";
import { sealInSegments } from "../support/stores/seal-in-segments.ts";

const cluster = clusterNamed("east");
const retry: Retry = { attempts: 20, pause: async () => undefined };
const NOON = Date.UTC(2026, 10, 21, 12);

const story = fc.array(arbitraryFact, { maxLength: 60 });
const sealed = fc
  .tuple(story, fc.integer({ min: 1, max: 20 }))
  .map(([facts, size]) => ({ facts, items: sealInSegments(facts, size, NOON) }));
/** Segments in some order, some of them again, cut into batches. */
const deliveries = sealed.chain(({ facts, items }) =>
  fc.record({
    facts: fc.constant(facts),
    items: fc.constant(items),
    order: fc.shuffledSubarray([...items], { minLength: items.length }),
    again: fc.subarray([...items]),
    batch: fc.integer({ min: 1, max: 8 }),
  }),
);

function batchesOf(items: readonly LogItem[], size: number): readonly (readonly LogItem[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A namespace stays known even if contradicting facts move the Job to another one. */
function recordsOf(meta: MemoryMetaStore): readonly string[] {
  return meta.contents().filter((text) => !text.startsWith("namespace|"));
}

function factsIn(bytes: Uint8Array): readonly Fact[] {
  const decoded = decodeSegment(bytes);
  return decoded.outcome === "decoded" ? decoded.segment.facts : [];
}

function emptyStores() {
  return { jobs: new MemoryJobStore(), meta: new MemoryMetaStore() };
}

async function recordText(jobs: MemoryJobStore, jobUid: JobUid): Promise<string> {
  const view = await readJob(jobs, { cluster, jobUid });
  if (view === undefined) return canonical(factsOf(emptyJob(jobUid)));
  const pods = new Map<PodRecord["uid"], PodRecord>();
  for await (const pod of view.pods()) pods.set(pod.uid, pod);
  return canonical(factsOf({ job: view.job, pods }));
}

describe("a projection", () => {
  it("has the same bytes whatever the order of the segments, the batches and the repeats", async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ items, order, again, batch }) => {
        const once = emptyStores();
        await projectSegments(once, items, retry);
        const stores = emptyStores();
        for (const some of batchesOf([...order, ...again], batch)) {
          expect((await projectSegments(stores, some, retry)).refold).toEqual([]);
        }
        expect(stores.jobs.contents()).toEqual(once.jobs.contents());
        expect(recordsOf(stores.meta)).toEqual(recordsOf(once.meta));
      }),
    );
  });

  it("has each Job as the fold of its facts, however they are split into segments", async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ facts, order, batch }) => {
        const stores = emptyStores();
        for (const some of batchesOf(order, batch)) await projectSegments(stores, some, retry);
        for (const [jobUid, record] of foldJobs(facts)) {
          expect(await recordText(stores.jobs, jobUid)).toBe(canonical(factsOf(record)));
        }
      }),
    );
  });

  it("names for each Job exactly the log items that hold facts of it", async () => {
    await fc.assert(
      fc.asyncProperty(sealed, async ({ facts, items }) => {
        const stores = emptyStores();
        await projectSegments(stores, items, retry);
        for (const jobUid of new Set(facts.filter(isJobFact).map((fact) => fact.jobUid))) {
          const view = await readJob(stores.jobs, { cluster, jobUid });
          const keys = await collect(view?.logKeys() ?? (async function* () {})());
          const holding = items.filter(({ bytes }) =>
            factsIn(bytes).some((fact) => isJobFact(fact) && fact.jobUid === jobUid),
          );
          expect(keys).toEqual(holding.map(({ key }) => key));
        }
      }),
    );
  });

  it("writes nothing for segments that it knows", async () => {
    await fc.assert(
      fc.asyncProperty(sealed, async ({ items }) => {
        const stores = emptyStores();
        await projectSegments(stores, items, retry);
        const versions = [...stores.jobs.states.values()].map(({ version }) => version);
        expect(await projectSegments(stores, items, retry)).toMatchObject({ written: 0, refold: [] });
        expect([...stores.jobs.states.values()].map(({ version }) => version)).toEqual(versions);
      }),
    );
  });

  it("loses nothing to projectors that work on the same Jobs at once", async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, fc.scheduler(), async ({ items, order }, scheduler) => {
        const once = emptyStores();
        await projectSegments(once, items, retry);
        const jobs = new MemoryJobStore();
        const meta = new MemoryMetaStore();
        const slow = {
          jobs: Object.assign(Object.create(jobs) as MemoryJobStore, {
            read: (key: JobKey) => scheduler.schedule(Promise.resolve()).then(() => jobs.read(key)),
            write: (key: JobKey, state: EncodedJobState, expected: number) =>
              scheduler.schedule(Promise.resolve()).then(() => jobs.write(key, state, expected)),
          }),
          meta,
        };
        const lanes = [order, items, order.toReversed()].map((lane) => projectSegments(slow, lane, retry));
        await scheduler.waitFor(Promise.all(lanes));
        for (const { refold } of await Promise.all(lanes)) expect(refold).toEqual([]);
        expect(jobs.contents()).toEqual(once.jobs.contents());
      }),
      { numRuns: 40 },
    );
  });
});

describe("what cannot be folded", () => {
  const facts = fc.sample(arbitraryFact, { numRuns: 40, seed: 7 });
  const items = sealInSegments(facts, 5, NOON);

  it("is reported by its log key, and the other segments are projected", async () => {
    const [first, ...rest] = items;
    if (first === undefined) throw new Error("There is no segment.");
    const damaged = { ...first, bytes: first.bytes.slice(0, 20) };
    const stores = emptyStores();
    const { refold } = await projectSegments(stores, [damaged, ...rest], retry);
    expect(refold.map(({ key }) => key)).toEqual([first.key]);
    const without = emptyStores();
    await projectSegments(without, rest, retry);
    expect(stores.jobs.contents()).toEqual(without.jobs.contents());
  });

  it("is a Job that others always write first, after a bounded number of attempts", async () => {
    const stores = emptyStores();
    let attempts = 0;
    const contended = Object.assign(Object.create(stores.jobs) as MemoryJobStore, {
      read: (key: JobKey) => stores.jobs.read(key),
      write: async (): Promise<WriteOutcome> => {
        attempts += 1;
        return { outcome: "conflict" };
      },
    });
    const uids = new Set(facts.filter(isJobFact).map(({ jobUid }) => jobUid));
    const { refold } = await projectSegments({ ...stores, jobs: contended }, items, {
      attempts: 3,
      pause: async () => undefined,
    });
    expect(attempts).toBe(uids.size * 3);
    expect(refold.length).toBeGreaterThan(0);
    expect((await projectSegments(stores, items, retry)).refold).toEqual([]);
  });
});

/** Refuses every write of hints. */
const brokenForHints = (meta: MemoryMetaStore): MetaStore => ({
  read: (kind, key) => meta.read(kind, key),
  list: (kind, options) => meta.list(kind, options),
  write: async (kind, key, record) => {
    if (kind === "hints") throw new Error("Table meta is throttled.");
    return meta.write(kind, key, record);
  },
});

describe("a hint that cannot be stored", () => {
  const job = { epoch: 0, resourceVersion: version("7"), at: NOON, kind: "JobTracked", jobUid: jobUid("a") } as const;
  const hint = {
    epoch: 0,
    resourceVersion: version("8"),
    at: NOON,
    kind: "EventHinted",
    hintId: "h",
    target: { kind: "Pod", namespace: "team", name: "a" },
    reason: "FailedMount",
    count: 1,
    firstAt: NOON,
    lastAt: NOON,
  } as const;
  it("neither fails nor repeats the facts of its segment", async () => {
    const { jobs, meta } = emptyStores();
    const items = sealInSegments([job, hint], 2, NOON);
    const projected = await projectSegments({ jobs, meta: brokenForHints(meta) }, items, retry);
    expect(projected).toMatchObject({ written: 1, lostHints: 1, refold: [] });
    expect(await readJob(jobs, { cluster, jobUid: job.jobUid })).toBeDefined();
  });

  it("is projected again from a segment that contains nothing else", async () => {
    const { jobs, meta } = emptyStores();
    const items = sealInSegments([hint], 1, NOON);
    const projected = await projectSegments({ jobs, meta: brokenForHints(meta) }, items, retry);
    expect(projected.lostHints).toBe(0);
    expect(projected.refold.map(({ key }) => key)).toEqual(items.map(({ key }) => key));
  });
});

function version(text: string): ResourceVersion {
  const decoded = decodeResourceVersion(text);
  if (decoded === undefined) throw new Error(`${text} is not a resourceVersion.`);
  return decoded;
}
