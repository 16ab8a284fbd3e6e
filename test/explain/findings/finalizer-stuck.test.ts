import type { FinalizerStuck } from "../../../src/explain/findings/finalizer-stuck.ts";
import { findingOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

describe("a finalizer that stays on", () => {
  it.each([
    ["a Pod that ended 10 min ago is found", 600, true],
    ["a Pod that ended just under 10 min ago is not found yet", 599, false],
  ])("for %s", (_, seconds, isFound) => {
    const story = tracked();
    story.podSucceeds("a", 2, { tracked: true });
    expect(kindsOf(story, story.now + seconds * 1000).includes("FinalizerStuck")).toBe(isFound);
  });

  it("is found on a Job whose deletion was requested 10 min ago", () => {
    const story = tracked();
    story.jobDeletionRequested(["example.com/guard"]);
    const finding = findingOf(story, "FinalizerStuck", story.now + 600_000);
    expect(finding?.message).toBe(
      "The Job was marked for deletion 10 min ago, and still has the finalizer example.com/guard.",
    );
    const [evidence, ...others] = finding?.evidence ?? [];
    expect(JSON.stringify(evidence)).toContain("example.com/guard");
    expect(others).toEqual([]);
  });

  it("is by design on a failed Pod that is held back for its index", () => {
    const story = tracked({ completionMode: "Indexed", completions: 1, backoffLimitPerIndex: 3 });
    story.podFails("a", 1, 2, { tracked: true });
    expect(kindsOf(story, story.now + 900_000)).not.toContain("FinalizerStuck");
  });

  it.each<[string, { readonly backoffLimitPerIndex?: number }, (story: Story) => void, boolean]>([
    [
      "no defect of a failed Pod of an index that is retried",
      { backoffLimitPerIndex: 3 },
      (s) => s.podFails("a", 1, 2, { tracked: true }),
      false,
    ],
    ["a defect of a failed Pod of another Job", {}, (s) => s.podFails("a", 1, 2, { tracked: true }), true],
    [
      "a defect of a succeeded Pod of an index that is retried",
      { backoffLimitPerIndex: 3 },
      (s) => s.podSucceeds("a", 2, { tracked: true, index: 0 }),
      true,
    ],
    [
      "a defect of a failed Pod once the Job has failed",
      { backoffLimitPerIndex: 3 },
      (s) => (s.podFails("a", 1, 2, { tracked: true }), s.jobFinished("Failed", "FailedIndexes")),
      true,
    ],
    [
      "a defect of a failed Pod once the Job is deleted",
      { backoffLimitPerIndex: 3 },
      (s) => (s.podFails("a", 1, 2, { tracked: true }), s.jobDeleted()),
      true,
    ],
    [
      "no defect of a Pod that lost it",
      {},
      (s) => (s.podFails("a", 1, 2, { tracked: true }), s.podUntracked("a")),
      false,
    ],
  ])("is %s", (_, spec, tell, isFound) => {
    const story = tracked({ completionMode: "Indexed", completions: 1, ...spec });
    tell(story);
    expect(kindsOf(story, story.now + 900_000).includes("FinalizerStuck")).toBe(isFound);
  });

  it.each<[string, (story: Story) => void, boolean]>([
    ["after 10 min", (s) => (s.jobDeletionRequested(["a"]), s.after(600)), true],
    ["not before", (s) => (s.jobDeletionRequested(["a"]), s.after(599)), false],
    ["not without a finalizer", (s) => (s.jobDeletionRequested([]), s.after(900)), false],
    ["not once the Job is gone", (s) => (s.jobDeletionRequested(["a"]), s.after(900), s.jobDeleted()), false],
  ])("is found on a deleted Job %s", (_, tell, isFound) => {
    const story = tracked();
    tell(story);
    expect(kindsOf(story, story.now).includes("FinalizerStuck")).toBe(isFound);
  });
});

const ended = [evidenceOf({ what: "endedWithFinalizer" } as const)];
const held = [evidenceOf({ what: "heldByFinalizers", finalizers: ["example.com/guard"] } as const)];

describe("a finalizer that is stuck, in words", () => {
  it.each<[FinalizerStuck, string, string]>([
    [
      { kind: "FinalizerStuck", stuck: "pods", podCount: 1, afterMillis: 600_000, pods: [POD], evidence: ended },
      "1 Pod ended more than 10 min ago and still carries the tracking finalizer (render-a): " +
        "the Job controller has not removed it.",
      "ended, with the tracking finalizer still on",
    ],
    [
      {
        kind: "FinalizerStuck",
        stuck: "job",
        waitedMillis: 600_000,
        finalizers: ["example.com/guard"],
        evidence: held,
      },
      "The Job was marked for deletion 10 min ago, and still has the finalizer example.com/guard.",
      "was marked for deletion, with the finalizer example.com/guard",
    ],
  ])("%#", (finding, message, detail) => {
    expect(explained(finding)).toMatchObject({ message, details: [detail] });
    expect(explained(finding).remedies).toHaveLength(1);
  });
});
