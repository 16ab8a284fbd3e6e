import { describe, expect, it } from "vitest";
import { wholeMillis } from "../../../src/job/status/whole-clock.ts";
import { Story } from "../../support/story/story.ts";

/** The clock of a story, in seconds, at its current second or at another one. */
function seconds(story: Story, at?: number): number | undefined {
  const millis = wholeMillis(story.record.job, at === undefined ? story.now : story.second(at));
  return millis === undefined ? undefined : millis / 1000;
}

describe("the clock of a Job from its creation", () => {
  it("counts from its creation, not from its start", () => {
    const story = new Story();
    story.jobCreated();
    story.after(30);
    story.jobReported({ startTime: story.now });
    story.after(60);
    expect(seconds(story)).toBe(90);
  });

  it("leaves out the time in which the Job was suspended", () => {
    const story = new Story();
    story.jobCreated();
    story.after(100);
    story.jobSpecified({ suspend: true }, 2);
    story.after(1000);
    story.jobSpecified({ suspend: false }, 3);
    story.after(20);
    story.jobSpecified({ suspend: true }, 4);
    story.after(5);
    expect(seconds(story)).toBe(120);
  });

  it("counts a Job that was created suspended from its resumption", () => {
    const story = new Story();
    story.jobCreated({ suspend: true });
    story.after(500);
    expect(seconds(story)).toBe(0);
    story.jobSpecified({ suspend: false }, 2);
    story.after(40);
    expect(seconds(story)).toBe(40);
  });

  it("takes a suspension with another change of the spec as one", () => {
    const story = new Story();
    story.jobCreated({ suspend: true });
    story.after(100);
    story.jobSpecified({ suspend: true, parallelism: 2 }, 2);
    story.after(100);
    story.jobSpecified({ suspend: false }, 3);
    story.after(7);
    expect(seconds(story)).toBe(7);
  });

  it("is not changed by a suspension after the instant", () => {
    const story = new Story();
    story.jobCreated();
    story.after(100);
    story.jobSpecified({ suspend: true }, 2);
    story.after(50);
    story.jobSpecified({ suspend: false }, 3);
    expect([60, 120, 150].map((at) => seconds(story, at))).toEqual([60, 100, 100]);
  });

  it("is unknown without its creation, and never negative", () => {
    const unseen = new Story();
    unseen.jobReported({});
    expect(seconds(unseen)).toBeUndefined();
    const story = new Story();
    story.jobCreated();
    expect(seconds(story, -10)).toBe(0);
  });
});
