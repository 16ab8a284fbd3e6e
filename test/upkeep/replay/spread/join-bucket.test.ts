import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { StoredEntry } from "../../../../src/ports/projections.ts";
import type { JobKey } from "../../../../src/ports/jobs.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { type BucketJoin, joinBucket } from "../../../../src/upkeep/replay/spread/join-bucket.ts";
import { MemoryStates } from "../../../../src/upkeep/replay/spread/memory-states.ts";
import { type SpreadGroup, spread } from "../../../../src/upkeep/replay/spread/spread-objects.ts";
import { encodeEntry } from "../../../../src/upkeep/replay/spread/spread-table.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { MemoryIdleJobs } from "../../../support/stores/memory-projections.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { MemoryProjections } from "../../../support/stores/memory-projections.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";
import { Story } from "../../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const ALL = { bucket: 0, bits: 0 };
const ITEMS = sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 3 }), 4, NOON);
const GONE: JobKey = { cluster: clusterNamed("east"), jobUid: jobUid("gone") };

async function projected<Store extends MemoryStates | MemoryJobStore>(jobs: Store, items = ITEMS): Promise<Store> {
  await projectSegments({ jobs, meta: new MemoryMetaStore(), jobsOnly: true }, items, PATIENT);
  return jobs;
}

describe("the worker of a bucket", () => {
  const place = { objects: new MemoryObjects(), run: 1 };
  let projections: MemoryProjections;
  let live: MemoryJobStore;
  let groups: SpreadGroup[];

  beforeEach(async () => {
    place.objects.objects.clear();
    projections = new MemoryProjections();
    live = await projected(new MemoryJobStore());
    groups = [];
  });

  async function spreadLog(items = ITEMS): Promise<void> {
    const entries = await (await projected(new MemoryStates(), items)).whole();
    groups.push(await spread(place, { kind: "log", name: `${groups.length}` }, entries));
  }

  async function listTable(...listed: readonly (readonly [JobKey, StoredEntry | undefined])[]): Promise<void> {
    const entries = listed.map(([key, entry]) => [key, encodeEntry(entry ?? expect.fail())] as const);
    groups.push(await spread(place, { kind: "table", name: `${groups.length}` }, entries));
  }

  async function join(change: Partial<BucketJoin> = {}): Promise<void> {
    const idle = projections.idle("B");
    const ports = { place, groups, idle, retry: PATIENT, now: NOON, isCurrent: async () => true, ...change };
    for await (const { apply } of joinBucket(ports, ALL)) await apply(1);
  }

  it("corrects its Jobs in parts, and continues after the last one", async () => {
    await spreadLog();
    const ports = { place, groups, idle: projections.idle("B"), retry: PATIENT, now: NOON, partBytes: 1_000 };
    const left = (from?: string) => collect(joinBucket({ ...ports, isCurrent: async () => true }, ALL, from));
    const parts = await left();
    expect(parts.length).toBeGreaterThan(3);
    await parts[0]?.apply(1);
    const some = projections.open("B").states.size;
    expect(some).toBeLessThan(live.states.size);
    const rest = await left(parts[0]?.place);
    expect(rest).toHaveLength(parts.length - 1);
    for (const { apply } of rest) await apply(1);
    expect(projections.open("B").contents()).toEqual(live.contents());
    expect(await left(parts.at(-1)?.place)).toEqual([]);
  });

  it("writes the Jobs that are missing", async () => {
    await spreadLog();
    await join();
    expect(projections.open("B").contents()).toEqual(live.contents());
  });

  it("joins a Job of several groups, whatever their order", async () => {
    await spreadLog(ITEMS.slice(5));
    await spreadLog(ITEMS.slice(0, 7));
    await join();
    expect(projections.open("B").contents()).toEqual(live.contents());
  });

  it("removes a Job that the log does not have, in the version that was listed", async () => {
    const idle = projections.idle("B");
    await idle.write(GONE, { bytes: Uint8Array.of(1) }, 0);
    await listTable([GONE, await idle.find(GONE)]);
    await join();
    expect(await idle.find(GONE)).toBeUndefined();
    await join();
    expect(await idle.find(GONE)).toBeUndefined();
  });

  it("repeats what a worker that was killed has done, without another write", async () => {
    await spreadLog();
    await join();
    await join();
    expect(new Set([...projections.open("B").states.values()].map(({ version }) => version))).toEqual(new Set([1]));
  });

  it("corrects a Job that another writer has changed since it was listed", async () => {
    const idle = projections.idle("B");
    const [[key] = expect.fail()] = await (await projected(new MemoryStates())).whole();
    await idle.write(key, { bytes: Uint8Array.of(1) }, 0);
    await listTable([key, await idle.find(key)]);
    await idle.write(key, { bytes: Uint8Array.of(2) }, 1);
    await spreadLog();
    await join();
    expect(projections.open("B").contents()).toEqual(live.contents());
  });

  it("leaves a Job that was changed since it was listed, if buckets are not joined any more", async () => {
    const [[key] = expect.fail()] = await (await projected(new MemoryStates())).whole();
    await spreadLog();
    await projections.idle("B").write(key, { bytes: Uint8Array.of(2) }, 0);
    await join({ isCurrent: async () => false });
    expect((await projections.open("B").read(key))?.bytes).toEqual(Uint8Array.of(2));
  });

  describe("of a Job whose retention has passed", () => {
    const story = new Story("ended");
    story.jobCreated();
    const items = sealInSegments(story.facts, 10, NOON);

    it.each([
      ["does not write it again", NOON + DAY, NOON + 4 * DAY, 0],
      ["writes it if it is kept", NOON + 5 * DAY, NOON + 4 * DAY, 1],
      ["writes it if the archive may not have it yet", NOON - DAY, NOON + 2 * DAY, 1],
    ])("%s", async (_, keptUntil, now, written) => {
      await spreadLog(items);
      await join({ idle: new MemoryIdleJobs(projections.open("B"), keptUntil), now });
      expect(projections.open("B").states.size).toBe(written);
    });
  });
});
