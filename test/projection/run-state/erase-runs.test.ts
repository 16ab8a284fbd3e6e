import { beforeEach, describe, expect, it } from "vitest";
import { isRunFact, type RunFact } from "../../../src/job/model/fact.ts";
import type { StateEraser } from "../../../src/ports/erasing/eraser.ts";
import type { JobKey } from "../../../src/ports/jobs.ts";
import type { ProjectionName } from "../../../src/ports/projections.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { eraseRuns } from "../../../src/projection/run-state/erase-runs.ts";
import { recordOf } from "../../../src/projection/run-state/project-run.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { EIGHT } from "../../support/archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { memberFacts, runFacts, runUidNamed } from "../../support/facts/run-facts.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { failedTrainJob } from "../../support/story/run-story.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";

const cluster = clusterNamed("east");
const story = { name: "train", createdAt: EIGHT, jobs: ["train-0", "train-1"] };
const facts = runFacts(story);
const key: JobKey = { cluster, jobUid: jobUid(runUidNamed(story.name)) };

const no = () => false;
const isOfTrainJob = ({ uid }: RunFact): boolean => uid === "fit-uid";

describe("the erasure of stored runs", () => {
  let projections: MemoryProjections;
  let unlisted: string[];
  beforeEach(async () => {
    projections = new MemoryProjections();
    unlisted = [];
    const segment = { cluster, session: "exporter00000000", sequence: 0, sealedAt: EIGHT };
    const items = [sealSegment({ ...segment, facts: [...facts, ...memberFacts(story)] })];
    const ports = { jobs: projections.open("A"), runs: projections.runs("A"), meta: new MemoryMetaStore() };
    await projectSegments(ports, items, { attempts: 1, pause: async () => undefined });
  });

  const eraser: StateEraser = {
    storedJobs: async function* (projection: ProjectionName) {
      if ((await projections.runs(projection).read(key)) !== undefined) yield key.jobUid;
    },
    removeJob: (projection, removed) => projections.runs(projection).remove(removed),
    unlistJobs: async (projection, isErased) => {
      if (isErased(key)) unlisted.push(projection);
      return 1;
    },
  };

  function erase(isErasedName: (name: string) => boolean, isErasedFact: (fact: RunFact) => boolean) {
    const isErasedJob = ({ name }: { readonly name: string }) => isErasedName(name);
    const factsLeft = async function* () {
      yield* facts.filter((fact) => !isErasedFact(fact));
    };
    return eraseRuns({ cluster, projections, eraser, isErasedJob, isErasedFact, factsLeft });
  }

  const storedRun = async () => {
    const stored = await projections.runs("A").read(key);
    return stored && recordOf(key.jobUid, stored);
  };
  it("changes nothing in a run without erased Jobs and facts", async () => {
    expect(await erase(no, no)).toBe(0);
    expect((await projections.runs("A").read(key))?.version).toBe(1);
  });

  it("removes a run of which nothing is left, also from lists", async () => {
    expect(
      await erase(
        () => true,
        () => true,
      ),
    ).toBe(1);
    expect(await storedRun()).toBeUndefined();
    expect(unlisted).toEqual(["A"]);
  });

  it("keeps the other Jobs, whose states it reads again", async () => {
    expect(await erase((name) => name === "train-0", no)).toBe(1);
    expect([...((await storedRun())?.jobs.keys() ?? [])]).toEqual([jobUid("train-1")]);
    expect(unlisted).toEqual([]);
  });

  it("keeps what other facts say, where one observation is erased", async () => {
    await erase(no, (fact) => fact.kind === "ParentObserved" && fact.conditions.length > 0);
    const parent = (await storedRun())?.parents.get(key.jobUid);
    expect([parent?.first?.at, parent?.last?.at, parent?.transitions.size]).toEqual([EIGHT, EIGHT, 0]);
  });

  it("writes a run again that cannot be read, because it may have what is erased", async () => {
    await projections.runs("A").write(key, { bytes: Uint8Array.of(9) }, 1);
    expect(await erase(no, no)).toBe(1);
    expect((await storedRun())?.parents.size).toBe(2);
  });

  it("removes what a TrainJob says from the run of its JobSet, whichever of them is listed first", async () => {
    const train = failedTrainJob();
    const uids = ["train-uid", "fit-uid"].map(jobUid);
    for (const listed of [uids, uids.toReversed()]) {
      projections = new MemoryProjections();
      const ports = { jobs: projections.open("A"), runs: projections.runs("A"), meta: new MemoryMetaStore() };
      await projectSegments(ports, sealInSegments(train, 100, EIGHT), { attempts: 1, pause: async () => undefined });
      const factsLeft = async function* () {
        yield* train.filter(isRunFact).filter((fact) => !isOfTrainJob(fact));
      };
      const storedJobs = async function* (projection: ProjectionName) {
        if (projection === "A") yield* listed;
      };
      const stored = { cluster, projections, eraser: { ...eraser, storedJobs } };
      expect(await eraseRuns({ ...stored, isErasedJob: no, isErasedFact: isOfTrainJob, factsLeft })).toBe(2);
      const left = uids.map(
        async (uid) => recordOf(uid, await projections.runs("A").read({ cluster, jobUid: uid })).parents,
      );
      expect((await Promise.all(left)).map((parents) => [...parents.keys()].toSorted())).toEqual([
        ["fit-workload-uid", "train-uid"],
        ["fit-workload-uid", "train-uid"],
      ]);
    }
  });
});
