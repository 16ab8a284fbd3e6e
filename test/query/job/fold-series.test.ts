import { describe, expect, it } from "vitest";
import { SeriesFold } from "../../../src/query/job/fold-series.ts";
import { Story } from "../../support/story/story.ts";

const owner = { kind: "CronJob", name: "nightly", uid: "c-1" };

function run(name: string, seconds: number, more = { owner }): Story {
  const story = new Story(name);
  story.jobCreated({}, more);
  story.after(seconds);
  story.jobFinished("Complete");
  return story;
}

function runsOf(fold: SeriesFold, { record }: Story): readonly number[] | undefined {
  return fold.runsOf(record.job.created)?.map(({ millis }) => millis);
}

describe("the series of a recording", () => {
  it("have the successful runs, each as it was added last", () => {
    const fold = new SeriesFold();
    for (const story of [run("a", 30), run("b", 20), run("a", 40)]) fold.add(story.record.job);
    expect(runsOf(fold, run("c", 1))).toEqual([20_000, 40_000]);
  });

  it("are kept apart", () => {
    const fold = new SeriesFold();
    fold.add(run("a", 30).record.job);
    expect(runsOf(fold, run("z", 1, { owner: { ...owner, name: "hourly" } }))).toEqual([]);
  });

  it("leave out Jobs on their own and Jobs that were not observed", () => {
    const alone = new Story("alone");
    alone.jobCreated();
    alone.jobFinished("Complete");
    const fold = new SeriesFold();
    fold.add(alone.record.job);
    expect(fold.runsOf(alone.record.job.created)).toBeUndefined();
    expect(fold.runsOf(undefined)).toBeUndefined();
  });
});
