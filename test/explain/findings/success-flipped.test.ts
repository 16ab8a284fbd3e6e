import { answerOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import { describe, expect, it } from "vitest";

describe("a Pod that was called Failed after it had succeeded", () => {
  it("stays a success, and the contradiction is found", () => {
    const story = tracked();
    story.podSucceeds("a", 2, { tracked: true });
    story.after(2);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(kindsOf(story)).toContain("SuccessFlipped");
    expect(answerOf(story).attempts?.[0]?.outcome).toBe("Succeeded");
  });

  it("is not one that failed first", () => {
    const story = tracked();
    story.podFails("a", 1, 2, { tracked: true });
    story.podTerminated("a", "Succeeded", { tracked: true });
    expect(kindsOf(story)).not.toContain("SuccessFlipped");
  });
});
