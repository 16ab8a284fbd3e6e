import { describe, expect, it } from "vitest";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { answerOf, kindsOf } from "../../support/story/answer-of-story.ts";

describe("a Pod whose end was not observed", () => {
  it.each<[string, boolean, (story: Story) => void]>([
    ["ran and was deleted while Running", true, (story) => story.podStarted("a")],
    ["never started", false, () => undefined],
  ])("that %s is told: %s", (_, isFound, tell) => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    tell(story);
    story.after(5);
    story.podVanished("a");
    expect(kindsOf(story).includes("OutcomeUnknown")).toBe(isFound);
    expect(answerOf(story).attempts?.[0]?.outcome).toBe("Unknown");
  });
});
