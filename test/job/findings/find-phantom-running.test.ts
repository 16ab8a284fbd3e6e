import { describe, expect, it } from "vitest";
import { answerOf, findingOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";

/** A Pod that stays Running although its container has ended. */
function phantom(tell: (story: Story) => void = () => undefined): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  story.containerEnded("a", 0, 10);
  story.podObserved("a", { running: [] });
  tell(story);
  return story;
}

describe("a phantom-running Pod", () => {
  it("has ended containers and the phase Running, for a while", () => {
    const story = phantom();
    expect(kindsOf(story, story.now)).not.toContain("PhantomRunning");
    const found = findingOf(story, "PhantomRunning", story.now + 300_000);
    expect(found?.message).toMatch(/^1 Pod is phantom-running: all containers have ended/);
    expect(found?.evidence.map(({ detail }) => detail)).toContain("container work had ended with exit code 0");
  });

  it.each<[string, (story: Story) => void]>([
    ["where the Pod has ended", (s) => s.podTerminated("a", "Succeeded", { tracked: true })],
    ["where the Pod is gone", (s) => s.podDeleted("a", true)],
    ["where a container was started again", (s) => s.podObserved("a", { running: ["work"], restarts: 1 })],
  ])("is none %s", (_, tell) => {
    const story = phantom(tell);
    expect(kindsOf(story, story.now + 300_000)).not.toContain("PhantomRunning");
  });

  it.each([
    [600_000, ["PhantomRunning"]],
    [undefined, []],
  ])("may be a Pod without a change, if the threshold is %s", (phantomAfter, kinds) => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    const now = story.now + 1_800_000;
    const answer = answerOf(story, { now, ...(phantomAfter !== undefined && { phantomAfter }) });
    expect(answer.findings.map(({ kind }) => kind)).toEqual(kinds);
    const evidence = answer.findings.flatMap((finding) => finding.evidence.map(({ detail }) => detail));
    expect(evidence).toEqual(kinds.map(() => "was last seen in phase Running, with its containers running"));
  });
});
