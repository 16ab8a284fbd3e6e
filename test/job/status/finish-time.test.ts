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
