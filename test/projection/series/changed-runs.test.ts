import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { projectSegments } from "../../../src/projection/project-segments.ts";
import { changedRuns } from "../../../src/projection/series/changed-runs.ts";
import { joinSeriesRuns, seriesRunsOf } from "../../../src/projection/series/series-runs.ts";
import type { StreamedWrite } from "../../../src/ports/streams/streamed-write.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Process } from "../../support/killed/killed-at.ts";
import { CountScene } from "../../support/stores/count-scene.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../support/stores/two-projections.ts";
import { Story } from "../../support/story/story.ts";

const cluster = clusterNamed("east");
let scene: CountScene;
beforeEach(() => {
  scene = new CountScene();
});

function run(name: string, seconds: number, cronJob = "nightly"): Story {
  const story = new Story(name);
  story.jobCreated({}, { owner: { kind: "CronJob", name: cronJob, uid: cronJob } });
  story.after(seconds);
  story.jobFinished("Complete");
  return story;
}

let sealed = 0;
/** Projects facts, each in a write of its own. */
async function project(facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    sealed += 60_000;
    const items = sealInSegments([fact], 1, scene.now + sealed);
    await projectSegments({ jobs: scene.store, meta: scene.meta }, items, PATIENT);
  }
}

async function changed() {
  const writes: StreamedWrite[] = [];
  await scene.store.deliver(async (delivered) => void writes.push(...delivered.writes));
  return changedRuns(writes).map(({ run: sample }) => sample?.millis);
}

async function recordsIn(meta: MemoryMetaStore) {
  return (await meta.list("series", { prefix: "east#", limit: 100 })).records;
}
const valuesIn = async (meta: MemoryMetaStore) => (await recordsIn(meta)).map(({ key, value }) => [key, value]);

describe("the runs that writes of Jobs change", () => {
  it("are those that become complete, and whose sample changes", async () => {
    const story = run("a", 30);
    await project(story.facts);
    expect(await changed()).toEqual([30_000]);
    const before = story.facts.length;
    story.after(5);
    story.jobDeleted();
    await project(story.facts.slice(before));
    expect(await changed()).toEqual([]);
    story.jobFinished("Failed");
    await project(story.facts.slice(before + 1));
    expect(await changed()).toEqual([undefined]);
  });

  it("are none where a Job expires", async () => {
    const story = run("a", 30);
    await project(story.facts);
    await changed();
    await scene.store.remove({ cluster, jobUid: story.jobUid });
    expect(await changed()).toEqual([]);
  });
});

describe("the records of series of a stage", () => {
  const stories = Array.from({ length: 12 }, (_, at) => run(`run-${at}`, 30 + at, at % 3 === 0 ? "hourly" : "nightly"));

  it("are those of a tracker, whatever round is killed", async () => {
    const direct = new MemoryMetaStore();
    const all = stories.flatMap(({ record }) => seriesRunsOf(cluster, record.job));
    await joinSeriesRuns(direct, all, PATIENT);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (request) => {
        scene = new CountScene();
        await project(stories.slice(0, 6).flatMap(({ facts }) => facts));
        const killed = new Process(request);
        await scene.count({}, { meta: killed.over(scene.meta) }).catch(() => {});
        scene.now += 7 * 60_000;
        await project(stories.slice(6).flatMap(({ facts }) => facts));
        await scene.count();
        expect(await valuesIn(scene.meta)).toEqual(await valuesIn(direct));
      }),
      { numRuns: 20 },
    );
  });

  it("are written once in a round of minutes", async () => {
    await scene.count();
    for (const story of stories) await project(story.facts);
    await scene.count();
    expect((await recordsIn(scene.meta)).map(({ version }) => version)).toEqual([1, 1]);
  });
});
