import type { CompletionLost } from "../../../src/explain/findings/completion-lost.ts";
import { findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { INDEXED, silentNode, tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

describe("a success that Kubernetes does not count", () => {
  it("is found when the finalizer was taken off while the Pod ran", () => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.podUntracked("a");
    story.after(3);
    story.containerEnded("a", 0, 3);
    story.podTerminated("a", "Succeeded");
    expect(namesIn(findingOf(story, "CompletionLost"))).toEqual(["render-a"]);
  });

  it("is found by the counters when the finalizer was taken off between the success and the count", () => {
    const story = tracked({ completions: 2 });
    for (const pod of ["a", "b"]) {
      story.podSucceeds(pod, 3, { tracked: true });
      story.podUntracked(pod);
    }
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    expect(findingOf(story, "CompletionLost")?.message).toMatch(
      /^2 Pods succeeded, and Kubernetes counted 1: 1 success lost/,
    );
  });

  it.each([
    ["its index, though the Job finished with every index complete", { index: 0 }, INDEXED],
    ["the one completion of its Job", {}, {}],
  ])("is found by the Pod that was made, after its finalizer was off, for %s", (_, created, spec) => {
    const story = tracked(spec);
    story.podSucceeds("a", 3, { tracked: true, ...created });
    story.podUntracked("a");
    story.podSucceeds("b", 3, { tracked: true, ...created });
    story.podUntracked("b");
    const done = "completions" in spec ? { completedIndexes: "0", succeeded: 1 } : { succeeded: 1 };
    story.jobFinished("Complete", "CompletionsReached", done);
    expect(findingOf(story, "CompletionLost")?.message).toBe(
      "1 Pod succeeded, and Kubernetes lost that (render-a): it is not counted.",
    );
  });

  it.each([
    ["made before the finalizer was off: the controller had not heard of the first", madeTwice],
    ["made again for an index that the Job had shrunk below in between", shrunk],
  ])("is none for a Pod whose piece of work had another one %s", (_, story) => {
    expect(kindsOf(story())).not.toContain("CompletionLost");
  });

  it("is found when the Pod had succeeded before it was deleted, and counts as failed for that", () => {
    const story = silentNode();
    expect(findingOf(story, "CompletionLost")?.message).toContain("it is counted as failed");
  });
});

describe("a success in the second of the deletion request", () => {
  it.each<[string, isFound: boolean, story: Story]>([
    ["is no loss if the request came first: the program answered SIGTERM with 0", false, inOneSecond("request")],
    ["is a loss if the success came first", true, inOneSecond("success")],
    ["is a loss if the end of the container came first, and the phase followed the request", true, inOneSecond("end")],
  ])("%s", (_, isFound, story) => expect(kindsOf(story).includes("CompletionLost")).toBe(isFound));
});

/** Deletion request and success fall into the same second; `first` has the lower resourceVersion. */
function inOneSecond(first: "request" | "success" | "end"): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  const request = () => story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  if (first === "request") request();
  story.containerEnded("a", 0, 10);
  if (first === "end") request();
  story.podUntracked("a");
  story.podTerminated("a", "Succeeded");
  if (first === "success") request();
  return story;
}

function madeTwice(): Story {
  const story = tracked(INDEXED);
  story.podCreated("b", { index: 0 });
  story.podTracked("b");
  story.podSucceeds("a", 3, { tracked: true, index: 0 });
  story.podUntracked("a");
  return story;
}

function shrunk(): Story {
  const story = tracked(INDEXED);
  story.podSucceeds("a", 3, { tracked: true, index: 1 });
  story.podUntracked("a");
  story.jobSpecified({ completions: 1, parallelism: 1 }, 2);
  story.jobSpecified({ completions: 2, parallelism: 2 }, 3);
  story.podSucceeds("b", 3, { tracked: true, index: 1 });
  return story;
}

const SAFE = "Make the work safe to run twice: Kubernetes may run it again for a success it did not count.";
const FINALIZER = "Let only the Job controller remove the finalizer batch.kubernetes.io/job-tracking.";
type OfPods = Extract<CompletionLost, { loss: "ofPods" }>;

function ofPods(more: Partial<OfPods> = {}): CompletionLost {
  const evidence = [evidenceOf({ what: "finalizerOff" } as const)];
  return { kind: "CompletionLost", loss: "ofPods", podCount: 1, countedAs: "nothing", pods: [POD], evidence, ...more };
}

describe("a lost success in words", () => {
  it.each<[CompletionLost, string, readonly string[]]>([
    [ofPods(), "1 Pod succeeded, and Kubernetes lost that (render-a): it is not counted.", [FINALIZER, SAFE]],
    [
      ofPods({ podCount: 3, countedAs: "either" }),
      "3 Pods succeeded, and Kubernetes lost the successes (render-a and 2 more): " +
        "each is not counted, or counted as failed.",
      [FINALIZER, SAFE],
    ],
    [
      ofPods({ countedAs: "failed", evidence: [evidenceOf({ what: "deletionCountedAsFailure" })] }),
      "1 Pod succeeded, and Kubernetes lost that (render-a): it is counted as failed.",
      [SAFE],
    ],
    [
      { kind: "CompletionLost", loss: "ofCounter", podCount: 5, missing: 2, evidence: [] },
      "5 Pods succeeded, and Kubernetes counted 3: 2 successes lost, " +
        "most likely because the tracking finalizer was removed by hand.",
      [FINALIZER, SAFE],
    ],
  ])("%#", (finding, message, remedies) => {
    expect(explained(finding)).toMatchObject({ message, remedies });
  });

  it.each([
    ["succeeded", "succeeded"],
    ["failedBeforeCounted", "was reported Failed before it was counted"],
    ["deletionCountedAsFailure", "was marked for deletion, and counted as failed for that"],
    ["finalizerOff", "was without the tracking finalizer"],
    ["replaced", "was without the tracking finalizer; another Pod was created for its work after that"],
  ] as const)("shows %s as: %s", (what, detail) => {
    expect(explained(ofPods({ evidence: [evidenceOf({ what })] })).details).toEqual([detail]);
  });
});
