import { describe, expect, it } from "vitest";
import { joinSeriesRuns, type SeriesRun, seriesRunsOf } from "../../../src/projection/series/series-runs.ts";
import { seriesRecord } from "../../../src/projection/series/series-record.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { PATIENT } from "../../support/stores/two-projections.ts";
import { Story } from "../../support/story/story.ts";

const nightly = { owner: { kind: "CronJob", name: "nightly", uid: "c-1" } };

function finished(name: string, seconds: number, more = nightly): Story {
  const story = new Story(name);
  story.jobCreated({}, more);
  story.after(seconds);
  story.jobFinished("Complete");
  return story;
}

function runOf(story: Story): SeriesRun {
  const [run] = seriesRunsOf(clusterNamed("east"), story.record.job);
  if (run === undefined) throw new Error("The Job has a series.");
  return run;
}

async function lengthsIn(meta: MemoryMetaStore, { key }: SeriesRun) {
  const record = await meta.read("series", key);
  return record && seriesRecord.decode(record).map(({ millis }) => millis / 1000);
}

describe("what a Job says about its series", () => {
  it("is nothing while it runs, and without a series", () => {
    const running = new Story("a");
    running.jobCreated({}, nightly);
    const alone = new Story("b");
    alone.jobCreated();
    alone.jobFinished("Complete");
    for (const { record } of [running, alone]) expect(seriesRunsOf(clusterNamed("east"), record.job)).toEqual([]);
  });

  it("is that it is no sample, if it failed after it was complete", () => {
    const story = finished("a", 30);
    story.jobFinished("Failed");
    expect(runOf(story)).not.toHaveProperty("run");
  });
});

describe("runs of series", () => {
  it("are joined into the record of their series", async () => {
    const meta = new MemoryMetaStore();
    const other = { owner: { ...nightly.owner, name: "hourly" } };
    const [a, b, c] = [finished("a", 30), finished("b", 40), finished("c", 50, other)].map(runOf);
    if (a === undefined || b === undefined || c === undefined) throw new Error("There are three.");
    await joinSeriesRuns(meta, [a, c], PATIENT);
    await joinSeriesRuns(meta, [b, a], PATIENT);
    expect(await lengthsIn(meta, a)).toEqual([30, 40]);
    expect(await lengthsIn(meta, c)).toEqual([50]);
  });

  it("are not written again if the record has them", async () => {
    const meta = new MemoryMetaStore();
    const run = runOf(finished("a", 30));
    await joinSeriesRuns(meta, [run], PATIENT);
    await joinSeriesRuns(meta, [run], PATIENT);
    expect((await meta.read("series", run.key))?.version).toBe(1);
  });

  it("leave the record that they are no sample of", async () => {
    const meta = new MemoryMetaStore();
    const story = finished("a", 30);
    await joinSeriesRuns(meta, [runOf(story), runOf(finished("b", 40))], PATIENT);
    story.jobFinished("Failed");
    await joinSeriesRuns(meta, [runOf(story)], PATIENT);
    expect(await lengthsIn(meta, runOf(story))).toEqual([40]);
  });

  it("begin a new record if it cannot be read", async () => {
    const meta = new MemoryMetaStore();
    const run = runOf(finished("a", 30));
    await meta.write("series", run.key, { value: "{", expected: 0 });
    await joinSeriesRuns(meta, [run], PATIENT);
    expect(await lengthsIn(meta, run)).toEqual([30]);
  });
});
