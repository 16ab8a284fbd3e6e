import { describe, expect, it } from "vitest";
import { headlineState } from "../../src/explain/headline-state.ts";
import { derivedOf } from "../support/story/derived-of-story.ts";
import { tracked } from "../support/story/finding-stories.ts";
import { Story } from "../support/story/story.ts";

type Spec = Parameters<Story["jobCreated"]>[0];

describe("the state that a headline begins with", () => {
  it.each<[string, Spec, (story: Story) => void, string]>([
    ["a Job without Pods", {}, () => undefined, "Running: 0 of 1 succeeded"],
    [
      "a Job that runs",
      { completions: 3 },
      (s) => (s.podSucceeds("a", 1, { tracked: true }), s.podCreated("b"), s.podStarted("b")),
      "Running: 1 of 3 succeeded, 1 active",
    ],
    [
      "a Job that waits",
      {},
      (s) => (
        s.podCreated("a"),
        s.podObserved("a", { phase: "Pending", waiting: { container: "work", reason: "ErrImagePull" } })
      ),
      "Running, but waiting since 2026-01-01T00:00:00Z: 0 of 1 succeeded",
    ],
    ["a suspended Job", { suspend: true }, () => undefined, "Suspended since 2026-01-01T00:00:00Z: 0 of 1 succeeded"],
    [
      "a complete Job",
      {},
      (s) => (
        s.podSucceeds("a", 1, { tracked: true }),
        s.jobFinished("Complete", "CompletionsReached", { succeeded: 1 })
      ),
      "Complete: 1 of 1 succeeded",
    ],
    [
      "a failed Job, with the reason",
      {},
      (s) => s.jobFinished("Failed", "DeadlineExceeded"),
      "Failed (DeadlineExceeded): 0 of 1 succeeded",
    ],
    ["a deleted Job", {}, (s) => s.jobDeleted(), "Deleted before it finished: 0 of 1 succeeded"],
  ])("%s", (_, spec, tell, state) => {
    const story = tracked(spec);
    tell(story);
    expect(headlineState(derivedOf(story))).toBe(state);
  });

  it("is the first success, where Pods ran again after it", () => {
    const story = new Story();
    story.jobCreated();
    story.jobUntracked();
    story.podSucceeds("a", 5);
    story.podDeletionRequested("a", "Succeeded");
    story.podDeleted("a");
    story.after(10);
    story.podSucceeds("b", 5);
    expect(headlineState(derivedOf(story))).toBe("Complete at the first success (2026-01-01T00:00:05Z)");
  });
});
