import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { LogItem } from "../../../../src/ports/log.ts";
import type { StoredEntry } from "../../../../src/ports/projections.ts";
import type { JobKey } from "../../../../src/ports/jobs.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { type BucketJoin, joinBucket } from "../../../../src/upkeep/replay/spread/join-bucket.ts";
import { joinerOfJobs } from "../../../../src/upkeep/replay/spread/join-jobs.ts";
import { jobText } from "../../../../src/upkeep/replay/spread/job-text.ts";
import { MemoryStates } from "../../../../src/upkeep/replay/spread/memory-states.ts";
import { type SpreadGroup, spread } from "../../../../src/upkeep/replay/spread/spread-objects.ts";
import { encodeEntry } from "../../../../src/upkeep/replay/spread/spread-table.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { collect } from "../../../support/running/collect.ts";
import { appendInPacks } from "../../../support/stores/both-layouts.ts";
import { MemoryIdleJobs, MemoryProjections } from "../../../support/stores/memory-projections.ts";
import { MemoryJobStore } from "../../../support/stores/memory-job-store.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../../support/stores/memory-packs.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";
import { Story } from "../../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const ALL = { bucket: 0, bits: 0 };
const ITEMS = sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 3 }), 4, NOON);
const RUN = { retry: PATIENT, now: NOON, isCurrent: async () => true, isOutage: () => false };
const GONE: JobKey = { cluster: clusterNamed("east"), jobUid: jobUid("gone") };

async function projected<Store extends MemoryStates | MemoryJobStore>(jobs: Store, items = ITEMS): Promise<Store> {
  await projectSegments({ jobs, meta: new MemoryMetaStore(), jobsOnly: true }, items, PATIENT);
  return jobs;
}

describe("the worker of a bucket", () => {
  const place = { objects: new MemoryObjects(), run: 1 };
  let stores: { log: MemoryPackedLog; readonly meta: MemoryMetaStore };
  let projections: MemoryProjections;
  let live: MemoryJobStore;
  let groups: SpreadGroup[];

  beforeEach(async () => {
    place.objects.objects.clear();
    stores = { log: new MemoryPackedLog(), meta: new MemoryMetaStore() };
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

  async function join(change: Partial<BucketJoin> = {}) {
    const idle = change.idle ?? projections.idle("B");
    const joiner = joinerOfJobs({ ...stores, since: NOON, idle });
    const ports = { ...RUN, joiner, place, groups, idle, ...change };
    const refused = [];
    for await (const { apply } of joinBucket(ports, ALL)) refused.push(...((await apply(1)).refused ?? []));
    return refused;
  }

  it("corrects its Jobs in parts, and continues after the last one", async () => {
    await spreadLog();
    const idle = projections.idle("B");
    const joiner = joinerOfJobs({ ...stores, since: NOON, idle });
    const ports = { ...RUN, joiner, place, groups, idle, partBytes: 1_000 };
    const left = (from?: string) => collect(joinBucket(ports, ALL, from));
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

  it("leaves out a Job that cannot be corrected, names it, and corrects the others", async () => {
    await spreadLog();
    const [[key] = expect.fail()] = await (await projected(new MemoryStates())).whole();
    const idle = projections.idle("B");
    idle.entryOf = async (job, state) => {
      if (job.jobUid === key.jobUid) throw new TypeError("This Job is damaged.");
      return MemoryIdleJobs.prototype.entryOf.call(idle, job, state);
    };
    expect(await join({ idle })).toEqual([{ job: jobText(key), reason: "This Job is damaged." }]);
    const expected = live.contents().filter((text) => !text.includes(key.jobUid));
    expect(expected).toHaveLength(live.states.size - 1);
    expect(projections.open("B").contents()).toEqual(expected);
  });

  it("fails during an outage, so that the unit is repeated", async () => {
    await spreadLog();
    const idle = projections.idle("B");
    idle.entryOf = async () => Promise.reject(new TypeError("The table is not available."));
    await expect(join({ idle, isOutage: (cause) => cause instanceof TypeError })).rejects.toThrow("not available");
  });

  describe("of a Job that a projector has written since it was listed", () => {
    const story = new Story("late");
    story.jobCreated();
    story.podCreated("a");
    const key = { cluster: clusterNamed("east"), jobUid: story.jobUid };
    let early: readonly LogItem[];
    let late: readonly LogItem[];

    beforeEach(async () => {
      const [first = expect.fail(), ...rest] = sealInSegments(story.facts, 1, NOON - 1_000);
      early = await appendInPacks(stores, [first], { arrivedAt: NOON - 1_000 });
      late = await appendInPacks(stores, rest, { arrivedAt: NOON });
    });

    it("keeps what has arrived since the log was spread, and corrects the rest", async () => {
      await spreadLog(early);
      const idle = projections.idle("B");
      const { bytes } = (await (await projected(new MemoryJobStore(), late)).read(key)) ?? expect.fail();
      await idle.write(key, { bytes }, 0);
      expect(await join()).toEqual([]);
      const whole = await projected(new MemoryJobStore(), [...early, ...late]);
      expect(projections.open("B").contents()).toEqual(whole.contents());
    });

    it("keeps nothing of it that the log does not have any more", async () => {
      await spreadLog(early);
      const erased = await projected(new MemoryJobStore(), [...early, ...late]);
      await projections.idle("B").write(key, (await erased.read(key)) ?? expect.fail(), 0);
      stores.log = new MemoryPackedLog();
      await join();
      const whole = await projected(new MemoryJobStore(), early);
      expect(projections.open("B").contents()).toEqual(whole.contents());
    });

    it("does not remove it, though the log did not have it", async () => {
      await projected(projections.open("B"), late);
      await listTable([key, await projections.idle("B").find(key)]);
      await join();
      const written = await projected(new MemoryJobStore(), late);
      expect(projections.open("B").contents()).toEqual(written.contents());
    });

    it("does not remove it if another worker has removed it, and it has the same version again", async () => {
      const idle = projections.idle("B");
      await idle.write(key, { bytes: Uint8Array.of(1) }, 0);
      await listTable([key, await idle.find(key)]);
      let isAgain = false;
      const isCurrent = async () => {
        if (!isAgain) await idle.remove(key, (await idle.find(key)) ?? expect.fail());
        if (!isAgain) await projected(projections.open("B"), late);
        return (isAgain = true);
      };
      await join({ isCurrent });
      const written = await projected(new MemoryJobStore(), late);
      expect(projections.open("B").contents()).toEqual(written.contents());
      expect(projections.open("B").states.size).toBe(1);
    });

    it("reads it again if it may expire, whatever version was listed", async () => {
      await spreadLog(early);
      const idle = new MemoryIdleJobs(projections.open("B"), NOON - 8 * DAY);
      await idle.write(key, { bytes: Uint8Array.of(1) }, 0);
      await listTable([key, await idle.find(key)]);
      projections.open("B").states.clear();
      await projected(projections.open("B"), late);
      await join({ idle, now: NOON + 4 * DAY });
      const whole = await projected(new MemoryJobStore(), [...early, ...late]);
      expect(projections.open("B").contents()).toEqual(whole.contents());
    });
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
