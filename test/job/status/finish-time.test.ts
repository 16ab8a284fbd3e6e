import { describe, expect, it } from "vitest";
import { finishTimeOf, finishTimesOf } from "../../../src/job/status/finish-time.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { type CasePod, finishTimesOfCase, functionCases } from "../../support/story/conformance-case.ts";
import { Story } from "../../support/story/story.ts";

describe("the end of a Pod", () => {
  it.each(functionCases<{ readonly pod: CasePod }, { readonly finishTime: string }>("TestGetFinishedTime"))(
    "is the best known instant: %s",
    (_, { input, expected }) => {
      expect(finishTimeOf(finishTimesOfCase(input.pod))).toBe(parseInstant(expected.finishTime));
    },
  );

  it("is the end of the last run, in whatever order its runs were observed", () => {
    const ends = [0, 1].map((order) => {
      const story = new Story();
      story.podCreated("a", { createdAt: story.now });
      story.after(10);
      const runs = [
        () => story.containerEnded("a", 1, 1, { restartCount: 0, finishedAt: story.second(3) }),
        () => story.containerEnded("a", 1, 1, { restartCount: 1, finishedAt: story.second(9) }),
      ];
      for (const run of order === 0 ? runs : runs.toReversed()) run();
      story.podTerminated("a", "Failed");
      return finishTimeOf(finishTimesOf(story.pod("a"))) - story.second(0);
    });
    expect(ends).toEqual([9_000, 9_000]);
  });

  it("is unknown in a Pod of which only its uid is known", () => {
    const story = new Story();
    story.podUntracked("a");
    expect(finishTimesOf(story.pod("a"))).toEqual({ containerEnds: [], createdAt: 0 });
  });

  it("is the last known end of a container, if its later run has no end time", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.after(5);
    story.containerEnded("a", 1, 5);
    const endedAt = story.now;
    story.after(5);
    story.containerEnded("a", 1, 5, { restartCount: 1 });
    const last = story.facts.pop();
    if (last?.kind !== "ContainerEnded") throw new Error("The story told of no end.");
    const { finishedAt: _, ...silent } = last;
    story.facts.push(silent);
    story.podTerminated("a", "Failed");
    const [pod] = story.record.pods.values();
    expect(pod && finishTimeOf(finishTimesOf(pod))).toBe(endedAt);
  });
});
