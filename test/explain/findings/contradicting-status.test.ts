import type { StatusContradiction } from "../../../src/explain/findings/contradicting-status.ts";
import { headline } from "../../../src/explain/headline.ts";
import type { GapRecorded } from "../../../src/job/model/fact.ts";
import { answerOf, findingOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { evidenceOf, explained } from "../../support/story/explained.ts";
import { INDEXED, retried, tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

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

function completeBelow(): Story {
  const story = oneSuccess({ completions: 2 });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story;
}

/** By hand, while its only Pod runs. */
function completeEarly(): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  story.after(20);
  story.containerEnded("a", 0, 20);
  story.podTerminated("a", "Succeeded", { tracked: true });
  return story;
}

function failedBelow(): Story {
  const story = oneSuccess();
  story.jobFinished("Failed", "BackoffLimitExceeded", { succeeded: 0 });
  return story;
}

function withoutDeadline(): Story {
  const story = oneSuccess();
  story.jobFinished("Failed", "DeadlineExceeded", { succeeded: 1 });
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
    ["an end below the completions", completeBelow(), "Complete with 1 of 2 completions"],
    ["an end before the Pod's", completeEarly(), "Complete with 1 succeeded when no Pod had succeeded"],
    [
      "a failure below its limit",
      failedBelow(),
      "failed for BackoffLimitExceeded with 0 failed Pods, and backoffLimit is 6",
    ],
    ["a failure for a deadline that it has not", withoutDeadline(), "its spec has no activeDeadlineSeconds"],
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

  it("is a counter that rose, and fell to what the Pods show", () => {
    const story = oneSuccess();
    story.jobReported({ succeeded: 5 });
    story.jobReported({ succeeded: 0 });
    story.jobReported({ succeeded: 1 });
    expect(findingOf(story, "ContradictingStatus")?.message).toContain("succeeded fell from 5 to 1");
  });

  it("is named in the headline, as far as it fits", () => {
    const story = oneSuccess();
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, failed: 2 });
    expect(headline(derivedOf(story))).toContain(
      "the reported status contradicts the facts: failed is 2, and no Pod can have failed",
    );
  });

  it("does not say that a limit was reached which was not", () => {
    expect(headline(derivedOf(failedBelow()))).not.toContain("reached");
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

describe("a contradicting status in words", () => {
  it.each<[StatusContradiction, string]>([
    [
      { contradiction: "abovePods", counter: "succeeded", reported: 3, pods: 1 },
      "succeeded is 3, and only 1 Pod can have succeeded",
    ],
    [{ contradiction: "conditions", types: ["Complete", "Failed"] }, "conditions Complete and Failed are both True"],
    [
      { contradiction: "indexes", succeeded: 2, completedIndexes: 1 },
      "succeeded is 2, and completedIndexes has 1 index",
    ],
    [{ contradiction: "completeBelow", succeeded: 1, completions: 5 }, "the Job is Complete with 1 of 5 completions"],
    [{ contradiction: "backwards", counter: "failed", from: 2, to: 0 }, "failed fell from 2 to 0"],
    [{ contradiction: "finishWithdrawn", type: "Complete" }, "the Job was Complete, and the condition was removed"],
  ])("%o", (contradiction, text) => {
    const { message } = explained({ kind: "ContradictingStatus", contradictions: [contradiction], evidence: [] });
    expect(message).toBe(`The reported status contradicts itself or the Pods: ${text}.`);
  });

  it("shows what was reported, and asks who else writes it", () => {
    const evidence = [
      evidenceOf({ what: "reported", succeeded: 3, failed: 0 } as const),
      evidenceOf({ what: "finished", type: "Complete" } as const),
    ];
    const { details, remedies } = explained({ kind: "ContradictingStatus", contradictions: [], evidence });
    expect(details).toEqual(["was reported with succeeded 3 and failed 0", "was reported Complete"]);
    expect(remedies.join()).toContain("audit log");
  });
});
