import { describe, expect, it } from "vitest";
import type { GapRecorded } from "../../../src/job/model/fact.ts";
import { INDEXED, retried, tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { answerOf, findingOf, kindsOf } from "../../support/story/answer-of-story.ts";

const complete = { type: "Complete", status: "True", reason: "CompletionsReached" };
const failed = { type: "Failed", status: "True", reason: "BackoffLimitExceeded" };

function oneSuccess(spec: Parameters<typeof tracked>[0] = {}): Story {
  const story = tracked(spec);
  story.podSucceeds("a", 2, { tracked: true, index: 0 });
  story.podUntracked("a");
  return story;
}

function reports(status: Parameters<Story["jobReported"]>[0], spec: Parameters<typeof tracked>[0] = {}): Story {
  const story = oneSuccess(spec);
  story.jobReported(status);
  story.after(60);
  return story;
}

function oneFailure(): Story {
  const story = tracked();
  story.podFails("a", 1, 2, { tracked: true });
  story.jobReported({ failed: 2 });
  return story;
}

function fell(): Story {
  const story = reports({ failed: 0 });
  story.jobReported({ succeeded: 1 });
  return story;
}

function withdrawn(): Story {
  const story = oneSuccess();
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  story.jobReported({ succeeded: 1 });
  return story;
}

describe("a status that cannot be true", () => {
  it.each<[string, Story, text: string]>([
    ["more successes than Pods that can have succeeded", reports({ succeeded: 3 }), "succeeded is 3, and only 1 Pod"],
    ["more failures than Pods that can have failed", oneFailure(), "failed is 2, and only 1 Pod can have failed"],
    [
      "both ends at once",
      reports({ succeeded: 1, conditions: [complete, failed] }),
      "Complete and Failed are both True",
    ],
    [
      "a counter that differs from its indexes",
      reports({ succeeded: 1, completedIndexes: "0,1" }, INDEXED),
      "succeeded is 1, and completedIndexes has 2 indexes",
    ],
    [
      "an end below the completions",
      reports({ succeeded: 1, conditions: [complete] }, { completions: 2 }),
      "Complete with 1 of 2 completions",
    ],
    ["an end that is withdrawn", withdrawn(), "the Job was Complete, and the condition was removed"],
  ])("is %s", (_, story, text) => {
    expect(findingOf(story, "ContradictingStatus")?.message).toContain(text);
  });

  it("is a counter that falls", () => {
    const story = tracked();
    story.podSucceeds("a", 2, { tracked: true });
    story.facts.splice(
      story.facts.findIndex(({ kind }) => kind === "JobReported"),
      1,
    );
    story.jobReported({ succeeded: 1 });
    story.jobReported({ succeeded: 0 });
    expect(findingOf(story, "ContradictingStatus")?.message).toContain("succeeded fell from 1 to 0");
  });

  it("is not called the same as what the Pods show", () => {
    const story = oneSuccess();
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 3 });
    expect(answerOf(story).verdict).toMatchObject({ state: "Complete", basis: "reported" });
  });
});

describe("no contradiction", () => {
  it.each<[string, Story]>([
    ["a retry", retried()],
    ["a status that the Pods have not caught up with", ahead()],
    ["a Pod that counts as failed because it was deleted, and succeeded then", deletedFirst()],
    ["a status that lags behind the Pods", fell()],
  ])("is %s", (_, story) => expect(kindsOf(story)).not.toContain("ContradictingStatus"));
});

it("is not searched for against Pods that a gap may have hidden", () => {
  const story = reports({ succeeded: 3 });
  const [first] = story.facts;
  if (first === undefined) throw new Error("The story has no facts");
  const { epoch, resourceVersion, at } = first;
  const window = { gapId: "gap-1", from: story.second(0), to: story.second(5), resources: ["pods"], reason: "restart" };
  const gap: GapRecorded = { epoch, resourceVersion, at, kind: "GapRecorded", ...window };
  const { findings } = answerOf(story, { clusterContext: { ...story.clusterContext, gaps: [gap] } });
  expect(findings.map(({ kind }) => kind)).not.toContain("ContradictingStatus");
});

function ahead(): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(5);
  story.jobReported({ succeeded: 1 });
  return story;
}

function deletedFirst(): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(5);
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  story.containerEnded("a", 0, 5);
  story.podTerminated("a", "Succeeded", { tracked: true });
  story.podUntracked("a");
  story.jobReported({ failed: 1 });
  return story;
}
