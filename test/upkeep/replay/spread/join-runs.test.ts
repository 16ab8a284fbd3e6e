import { beforeEach, describe, expect, it } from "vitest";
import type { ParentDeleted } from "../../../../src/job/model/fact.ts";
import type { JobUid } from "../../../../src/job/model/ids.ts";
import { projectSegments } from "../../../../src/projection/project-segments.ts";
import { recordOf } from "../../../../src/projection/run-state/project-run.ts";
import { type BucketJoin, joinBucket } from "../../../../src/upkeep/replay/spread/join-bucket.ts";
import { joinerOfRuns } from "../../../../src/upkeep/replay/spread/join-runs.ts";
import { encodePartialRun, PartialRuns } from "../../../../src/upkeep/replay/spread/partial-runs.ts";
import { type SpreadGroup, spread } from "../../../../src/upkeep/replay/spread/spread-objects.ts";
import { encodeEntry } from "../../../../src/upkeep/replay/spread/spread-table.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { memberFacts, runFacts, runUidNamed } from "../../../support/facts/run-facts.ts";
import { MemoryIdleJobs, MemoryProjections } from "../../../support/stores/memory-projections.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { failedTrainJob } from "../../../support/story/run-story.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const STORY = { name: "train", createdAt: NOON, jobs: ["train-0", "train-1"] };
const FACTS = runFacts(STORY);
const RUN = { cluster: clusterNamed("east"), jobUid: jobUid(runUidNamed(STORY.name)) };
const JOBS = STORY.jobs.map(jobUid);

describe("the worker of a bucket of runs", () => {
  const place = { objects: new MemoryObjects(), run: 1 };
  let projections: MemoryProjections;
  let groups: SpreadGroup[];

  beforeEach(async () => {
    place.objects.objects.clear();
    projections = new MemoryProjections();
    groups = [];
    const items = sealInSegments([...memberFacts(STORY), ...FACTS], 4, NOON);
    const live = { jobs: projections.open("A"), runs: projections.runs("A"), meta: new MemoryMetaStore() };
    await projectSegments(live, items, PATIENT);
    // The Jobs have been corrected.
    await projectSegments({ jobs: projections.open("B"), meta: new MemoryMetaStore() }, items, PATIENT);
  });

  async function spreadRun(facts = FACTS, jobs: readonly JobUid[] = JOBS): Promise<void> {
    const entries = [[RUN, encodePartialRun({ facts, jobs: new Set(jobs) })]] as const;
    groups.push(await spread(place, { kind: "runs", name: `${groups.length}` }, entries));
  }

  async function listRun(): Promise<void> {
    const entry = (await projections.idleRuns("B").find(RUN)) ?? expect.fail();
    const name = `${groups.length}`;
    groups.push(await spread(place, { kind: "runTable", name }, [[RUN, encodeEntry(entry)]]));
  }

  async function join(change: Partial<BucketJoin> = {}): Promise<void> {
    const run = { retry: PATIENT, now: NOON, isCurrent: async () => true, isOutage: () => true };
    const idle = { jobs: projections.open("B"), runs: projections.runs("B"), retry: PATIENT };
    const joiner = joinerOfRuns({ ...idle, since: NOON + 300_000 });
    const ports = { ...run, joiner, place, groups, idle: projections.idleRuns("B"), ...change };
    for await (const { apply } of joinBucket(ports, { bucket: 0, bits: 0 })) await apply(1);
  }

  const contents = (name: "A" | "B") => projections.runs(name).contents();

  it("joins what several units have, in any order", async () => {
    await spreadRun(FACTS.slice(1), JOBS.slice(1));
    await spreadRun(FACTS.slice(0, 2), JOBS.slice(0, 1));
    await join();
    expect(contents("B")).toEqual(contents("A"));
    await join();
    expect((await projections.runs("B").read(RUN))?.version).toBe(1);
  });

  it("writes over a run that differs", async () => {
    await spreadRun();
    await projections.runs("B").write(RUN, { bytes: Uint8Array.of(1) }, 0);
    await listRun();
    await join();
    expect(contents("B")).toEqual(contents("A"));
  });

  it("removes a run that the log does not have", async () => {
    await projections.runs("B").write(RUN, { bytes: Uint8Array.of(1) }, 0);
    await listRun();
    await join();
    expect(contents("B")).toEqual([]);
  });

  it("removes a run without facts whose Jobs are gone", async () => {
    await spreadRun([]);
    projections.open("B").states.clear();
    await projections.runs("B").write(RUN, { bytes: Uint8Array.of(1) }, 0);
    await listRun();
    await join();
    expect(contents("B")).toEqual([]);
  });

  it("keeps what was observed since the log was spread, where a projector has written the run meanwhile", async () => {
    await spreadRun();
    const [{ epoch, resourceVersion, of, namespace, name, uid, runUid }] = [FACTS[0] ?? expect.fail()];
    const named = { of, namespace, name, uid, runUid };
    const late: ParentDeleted = { epoch, resourceVersion, at: NOON + 400_000, kind: "ParentDeleted", ...named };
    const ports = { runs: projections.runs("B"), jobs: projections.open("B"), meta: new MemoryMetaStore() };
    await projectSegments(ports, sealInSegments([late], 1, NOON), PATIENT);
    await join();
    const { parents, jobs } = recordOf(RUN.jobUid, await projections.runs("B").read(RUN));
    expect(parents.get(RUN.jobUid)?.deleted?.at).toBe(NOON + 400_000);
    expect([parents.size, jobs.size]).toEqual([2, 2]);
  });

  it("leaves a run that was written since it was listed, once projectors write the projection", async () => {
    await spreadRun();
    await projections.runs("B").write(RUN, { bytes: Uint8Array.of(2) }, 0);
    await join({ isCurrent: async () => false });
    expect((await projections.runs("B").read(RUN))?.bytes).toEqual(Uint8Array.of(2));
  });

  it.each([
    ["does not write a run again that retention has deleted", NOON + DAY, NOON + 4 * DAY, 0],
    ["writes a run that is kept", NOON + 5 * DAY, NOON + 4 * DAY, 1],
  ])("%s", async (_, keptUntil, now, written) => {
    await spreadRun();
    await join({ idle: new MemoryIdleJobs(projections.runs("B"), keptUntil), now });
    expect(contents("B")).toHaveLength(written);
  });
});

describe("the workers of the buckets of a TrainJob and its JobSet", () => {
  const TRAIN = failedTrainJob();
  const uids = ["train-uid", "fit-uid"].map(jobUid);
  const parts = new PartialRuns();
  const place = { objects: new MemoryObjects(), run: 1 };

  /** The entries of the runs, one group for each. */
  async function spreadEach(): Promise<readonly SpreadGroup[]> {
    const items = sealInSegments(TRAIN, 4, NOON);
    const meta = new MemoryMetaStore();
    const jobs = new MemoryProjections().open("A");
    await projectSegments({ jobs, meta, onRuns: (runs) => parts.add(runs) }, items, PATIENT);
    const entries = parts.entries();
    const groups: SpreadGroup[] = [];
    for (const uid of uids) {
      const own = entries.filter(([key]) => key.jobUid === uid);
      groups.push(await spread(place, { kind: "runs", name: uid }, own));
    }
    return groups;
  }

  it.each([
    ["one after the other", [[0], [1]]],
    ["in the other order", [[1], [0]]],
    ["at the same time", [[0, 1]]],
  ])("give what projectors write, %s", async (_, steps) => {
    const projections = new MemoryProjections();
    const meta = new MemoryMetaStore();
    const items = sealInSegments(TRAIN, 4, NOON);
    await projectSegments({ jobs: projections.open("A"), runs: projections.runs("A"), meta }, items, PATIENT);
    await projectSegments({ jobs: projections.open("B"), meta }, items, PATIENT);
    const all = await spreadEach();
    const run = { retry: PATIENT, now: NOON, isCurrent: async () => true, isOutage: () => true };
    const idle = { jobs: projections.open("B"), runs: projections.runs("B"), retry: PATIENT, since: NOON };
    for (const step of steps) {
      const groups = step.flatMap((index) => all[index] ?? []);
      const join = { ...run, joiner: joinerOfRuns(idle), place, groups, idle: projections.idleRuns("B") };
      for await (const { apply } of joinBucket(join, { bucket: 0, bits: 0 })) await apply(1);
    }
    expect(projections.runs("B").contents()).toEqual(projections.runs("A").contents());
    expect(projections.runs("B").contents()).toHaveLength(2);
  });
});
