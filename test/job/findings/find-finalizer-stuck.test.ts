import { describe, expect, it } from "vitest";
import { tracked } from "../../support/story/finding-stories.ts";
import { findingOf, kindsOf } from "../../support/story/answer-of-story.ts";

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
    expect(findingOf(story, "FinalizerStuck", story.now + 600_000)?.message).toBe(
      "The Job was marked for deletion 10 min ago, and still has the finalizer example.com/guard.",
    );
  });

  it("is by design on a failed Pod that is held back for its index", () => {
    const story = tracked({ completionMode: "Indexed", completions: 1, backoffLimitPerIndex: 3 });
    story.podFails("a", 1, 2, { tracked: true });
    expect(kindsOf(story, story.now + 900_000)).not.toContain("FinalizerStuck");
  });
});
