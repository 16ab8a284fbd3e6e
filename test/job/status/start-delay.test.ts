import { describe, expect, it } from "vitest";
import { startDelay } from "../../../src/job/status/start-delay.ts";
import { Story } from "../../support/story/story.ts";

/** A Job whose first Pod has waited for 30 seconds when it starts, and its second for 10. */
function twoPods(): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.after(20);
  story.podCreated("b");
  story.after(10);
  story.podStarted("b");
  story.after(5);
  story.podStarted("a");
  return story;
}

describe("the start delay of a Job", () => {
  const story = twoPods();
  const createdAt = story.now - 35_000;

  it("is the time from its creation to the start of the Pod that ran first, in any order of Pods", () => {
    const pods = [story.pod("a"), story.pod("b")];
    expect(startDelay(createdAt, pods)).toBe(30_000);
    expect(startDelay(createdAt, pods.toReversed())).toBe(30_000);
  });

  it("is 0 where the clock of a node is behind", () => {
    expect(startDelay(createdAt + 40_000, [story.pod("a")])).toBe(0);
  });

  it("is unknown while no Pod has started", () => {
    const waiting = new Story();
    waiting.jobCreated();
    waiting.podCreated("a");
    expect(startDelay(createdAt, [waiting.pod("a")])).toBeUndefined();
    expect(startDelay(createdAt, [])).toBeUndefined();
  });
});
