import { describe, expect, it } from "vitest";
import { headline } from "../../../src/explain/headline.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { Story } from "../../support/story/story.ts";

/** Pods of a Job are deleted while they run, and the Job fails this many seconds later. */
function deletedPods(pods: readonly string[], by: (story: Story, pod: string) => void, seconds = 1): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: pods.length - 1, parallelism: pods.length, completions: pods.length });
  story.jobTracked();
  story.podsRunning(...pods);
  story.after(10);
  for (const pod of pods) by(story, pod);
  story.after(seconds);
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: pods.length });
  return story;
}

const deletedAt =
  (exitCode: number, phase: "Succeeded" | "Failed", actor?: string) =>
  (story: Story, pod: string): void => {
    if (actor !== undefined) story.requested({ pod }, actor);
    story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 30 });
    story.podUntracked(pod);
    story.containerEnded(pod, exitCode, 0);
    story.podTerminated(pod, phase);
  };

describe("the cause of a Job whose Pods were deleted", () => {
  it.each([
    ["exit code 0", ["a"], deletedAt(0, "Succeeded"), /deleted by an unknown actor.*exit code 0.*; counted as failed/],
    ["exit code 0 and phase Failed", ["a"], deletedAt(0, "Failed"), /deleted.*exit code 0.*; counted as failed/],
    ["exit code 143", ["a"], deletedAt(143, "Failed"), /deleted.*exit code 143.*; counted against backoffLimit/],
    [
      "each attempt",
      ["a", "b"],
      deletedAt(0, "Succeeded", "bob"),
      /deleted by bob.*in 2 of 2 attempts; counted as failed/,
    ],
  ] as const)("names the deletion and how it counts: %s", (_, pods, by, line) => {
    for (const seconds of [0, 1]) {
      if (seconds === 0 && pods.length > 1) continue;
      const derived = derivedOf(deletedPods(pods, by, seconds));
      expect(headline(derived)).toMatch(line);
      expect(derived.cause).toMatchObject({ attempts: pods.length, counted: pods.length });
    }
  });

  it("names an eviction that the program answered with exit code 0", () => {
    const story = deletedPods(["a"], (told, pod) => {
      told.podDisrupted(pod, "EvictionByEvictionAPI");
      deletedAt(0, "Succeeded")(told, pod);
    });
    expect(headline(derivedOf(story))).toMatch(/evicted through the eviction API.*exit code 0, counted as failed/);
  });

  it("is the first deletion where all were requested in the second of the end", () => {
    const derived = derivedOf(deletedPods(["a", "b", "c"], deletedAt(143, "Failed"), 0));
    expect(derived.cause).toMatchObject({ why: { cause: "deleted", actor: "unknown" }, attempts: 1, podCount: 1 });
    expect(derived.stopped).toMatchObject({ byEnd: 2 });
  });

  it("is no deletion in the second of the end where an unknown Pod failed", () => {
    const story = deletedPods(["a", "b"], deletedAt(143, "Failed"), 0);
    story.jobReported({ failed: 3, conditions: story.record.job.reported?.status.conditions ?? [] });
    expect(derivedOf(story).cause).toBeUndefined();
  });

  it("is not said of a success that Kubernetes counts as one", () => {
    const story = deletedPods(["a"], deletedAt(0, "Succeeded"));
    story.jobReported({ succeeded: 1, failed: 0, conditions: story.record.job.reported?.status.conditions ?? [] });
    expect(derivedOf(story).cause).toBeUndefined();
  });
});
