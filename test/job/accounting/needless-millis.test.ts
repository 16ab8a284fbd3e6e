import { describe, expect, it } from "vitest";
import { needlessMillis } from "../../../src/job/accounting/needless-millis.ts";
import { Story } from "../../support/story/story.ts";

/** Pods "a" to "c" that succeed one after the other, after 10, 20 and 40 seconds. */
function threeSuccesses(): Story {
  const story = new Story();
  story.jobCreated();
  story.podSucceeds("a", 10);
  story.podSucceeds("b", 20);
  story.podSucceeds("c", 40);
  return story;
}

describe("the needless run time", () => {
  it.each([
    [0, 70_000],
    [1, 60_000],
    [2, 40_000],
    [3, 0],
    [9, 0],
  ])("of three Pods, of which %i successes were needed, is %i ms", (needed, millis) => {
    expect(needlessMillis(threeSuccesses().record.pods.values(), needed)).toBe(millis);
  });

  it("does not depend on the order of the Pods", () => {
    const pods = [...threeSuccesses().record.pods.values()];
    expect(needlessMillis(pods.toReversed(), 1)).toBe(needlessMillis(pods, 1));
  });

  it("excludes failed Pods, also those that changed to Succeeded", () => {
    const story = new Story();
    story.podFails("a", 1, 10);
    story.podFails("b", 1, 10);
    story.podTerminated("b", "Succeeded");
    expect(needlessMillis(story.record.pods.values(), 0)).toBe(0);
  });

  it("excludes Pods without a known start", () => {
    const story = new Story();
    story.podCreated("a");
    story.after(10);
    story.podTerminated("a", "Succeeded");
    expect(needlessMillis(story.record.pods.values(), 0)).toBe(0);
  });
});
