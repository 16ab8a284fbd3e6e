import { describe, expect, it } from "vitest";
import { isFirstSeenLate } from "../../../src/job/model/first-observation.ts";
import { Story } from "../../support/story/story.ts";

describe("a Pod", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["was seen in time where it ended later", (s) => (s.podCreated("a"), s.podTerminated("a", "Failed")), false],
    ["was seen late where its creation was not observed", (s) => s.podTracked("a"), true],
    [
      "was seen late where the first observation showed its end",
      (s) => s.inOneEvent(() => (s.podCreated("a"), s.podTerminated("a", "Failed"))),
      true,
    ],
    [
      "was seen late where the first observation showed its deletion",
      (s) => s.inOneEvent(() => (s.podCreated("a"), s.podDeletionRequested("a", "Running"))),
      true,
    ],
    [
      "was not seen late where it is older than the Job: it was adopted",
      (s) => s.inOneEvent(() => (s.podCreated("a", { createdAt: s.now - 1 }), s.podTerminated("a", "Failed"))),
      false,
    ],
  ])("%s", (_, tell, isLate) => {
    const story = new Story();
    story.jobCreated();
    tell(story);
    expect(isFirstSeenLate(story.pod("a"), story.record.job.created?.createdAt)).toBe(isLate);
  });
});
