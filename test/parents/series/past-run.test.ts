import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAX_PAST_RUNS,
  type PastRun,
  pastRunOf,
  runIdOf,
  templateOf,
  withPastRun,
} from "../../../src/parents/series/past-run.ts";
import { Story } from "../../support/story/story.ts";

function finished(type: "Complete" | "Failed"): Story {
  const story = new Story();
  story.jobCreated({ parallelism: 2, completions: 4 });
  story.after(90);
  story.jobFinished(type, undefined, { completionTime: story.second(80) });
  return story;
}

describe("a run as a sample", () => {
  it("lasts from its creation to its completion time", () => {
    const story = finished("Complete");
    const { id, ...sample } = pastRunOf(story.record.job) ?? { id: 0 };
    expect(id).toBe(runIdOf("render"));
    expect(sample).toEqual({
      createdAt: story.second(0),
      endedAt: story.second(80),
      millis: 80_000,
      template: templateOf({ parallelism: 2, completions: 4 }),
    });
  });

  it("ends with its condition if it has no completion time", () => {
    const story = new Story();
    story.jobCreated();
    story.after(50);
    story.jobFinished("Complete");
    expect(pastRunOf(story.record.job)?.millis).toBe(50_000);
  });

  it("is none if it failed, is in progress, or was first observed without its creation", () => {
    const running = new Story();
    running.jobCreated();
    const unseen = new Story();
    unseen.jobFinished("Complete");
    for (const story of [finished("Failed"), running, unseen]) expect(pastRunOf(story.record.job)).toBeUndefined();
  });
});

describe("the template of a run", () => {
  const size = { parallelism: 2, completions: 4 };

  it.each([
    ["parallelism", { ...size, parallelism: 3 }],
    ["completions", { ...size, completions: 5 }],
    ["resources", { ...size, resources: "a-9" }],
    ["other resources", { ...size, resources: "b-9" }],
  ])("is another with another %s", (_, other) => {
    const others = [size, { ...size, resources: "c-9" }, { parallelism: 2 }];
    for (const one of others) expect(templateOf(other)).not.toBe(templateOf(one));
  });

  it("has the resources of the run's Job", () => {
    const story = new Story();
    story.jobCreated({ ...size, resources: "a-9" });
    story.jobFinished("Complete");
    expect(pastRunOf(story.record.job)?.template).toBe(templateOf({ ...size, resources: "a-9" }));
  });
});

const runs = fc.uniqueArray(fc.record({ uid: fc.nat(1000), endedAt: fc.nat(500) }), {
  selector: ({ uid }) => uid,
  maxLength: 200,
});
const pastRun = ({ uid, endedAt }: { uid: number; endedAt: number }): PastRun => ({
  id: uid,
  createdAt: 0,
  endedAt,
  millis: 1,
  template: 0,
});
const joinAll = (runs: readonly PastRun[]) => runs.reduce(withPastRun, []);

describe("the past runs of a series", () => {
  it("are the same in any order and with repeats", () => {
    fc.assert(
      fc.property(
        runs.chain((some) =>
          fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: some.length * 2 })),
        ),
        ([some, disordered]) => {
          expect(joinAll(disordered.map(pastRun))).toEqual(joinAll(some.map(pastRun)));
        },
      ),
    );
  });

  it("are at most the newest, the oldest of them first", () => {
    const many = Array.from({ length: MAX_PAST_RUNS + 30 }, (_, at) => pastRun({ uid: at, endedAt: at }));
    expect(joinAll(many.toReversed()).map(({ endedAt }) => endedAt)).toEqual(
      Array.from({ length: MAX_PAST_RUNS }, (_, at) => at + 30),
    );
  });

  it("have what is known last of each", () => {
    const [first, second] = [pastRun({ uid: 1, endedAt: 5 }), { ...pastRun({ uid: 1, endedAt: 4 }), millis: 3 }];
    expect(joinAll([first, second])).toEqual([second]);
  });
});
