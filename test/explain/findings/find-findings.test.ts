import { describe, expect, it } from "vitest";
import { retried, tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";

describe("a healthy Job", () => {
  it.each([
    ["that just began", tracked()],
    ["that ran as it should", complete()],
    ["that retried and succeeded", retried()],
    ["that was scaled down", scaledDown(1)],
    ["that was scaled down in the second its Pod ended", scaledDown(0)],
  ])("%s has no findings", (_, story) => expect(kindsOf(story, story.now + 3_600_000)).toEqual([]));
});

function complete(): Story {
  const story = tracked();
  story.podSucceeds("a", 3, { tracked: true });
  story.podUntracked("a");
  story.after(1);
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story;
}

/** A release: the finalizer is removed first, and the program exits with 0 when it is stopped. */
function scaledDown(stopsIn: number): Story {
  const story = tracked({ completions: 2, parallelism: 2 });
  story.podCreated("b");
  story.podTracked("b");
  story.podStarted("b");
  story.after(2);
  story.podUntracked("b");
  story.podDeletionRequested("b", "Running", { graceSeconds: 30 });
  story.after(stopsIn);
  story.containerEnded("b", 0, 2 + stopsIn);
  story.podTerminated("b", "Succeeded");
  story.podDeleted("b");
  for (const pod of ["a", "c"]) {
    story.podSucceeds(pod, 2, { tracked: true });
    story.podUntracked(pod);
  }
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 2 });
  return story;
}

describe("a Job of 1,000 stuck Pods", () => {
  const story = tracked({ completions: 1000, parallelism: 1000 });
  for (let pod = 0; pod < 1000; pod += 1) {
    story.podCreated(String(pod).padStart(4, "0"));
    story.podStarted(String(pod).padStart(4, "0"));
  }
  story.node("node-a", "Unknown");

  it("names the first 20 and counts all", () => {
    const finding = findingOf(story, "NodeUnreachable");
    expect(finding?.podCount).toBe(1000);
    expect(finding?.message).toContain("and 995 more");
    expect(namesIn(finding)).toEqual(Array.from({ length: 20 }, (_, pod) => `render-${String(pod).padStart(4, "0")}`));
  });
});
