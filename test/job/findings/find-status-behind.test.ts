import { describe, expect, it } from "vitest";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { kindsOf } from "../../support/story/answer-of-story.ts";

function succeededUncounted(): Story {
  const story = tracked();
  story.podSucceeds("a", 2, { tracked: true });
  return story;
}

describe("a status that lags", () => {
  it.each([
    [119, []],
    [120, ["StatusBehind"]],
  ])("%s s after the Pod ended is found as %j", (seconds, kinds) => {
    const story = succeededUncounted();
    expect(kindsOf(story, story.now + seconds * 1000)).toEqual(kinds);
  });

  it("is none where the Pod is on the uncounted list", () => {
    const story = succeededUncounted();
    const { uid } = story.pod("a");
    story.jobReported({ active: 0, uncounted: { succeeded: [uid], failed: [] } });
    expect(kindsOf(story, story.now + 300_000)).toEqual([]);
  });
});
