import { describe, expect, it } from "vitest";
import type { UsageAnswer } from "../../../src/explain/usage/usage-schema.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";

/** The classes in which the Pods of a story spent time. */
function classesOf(story: Story): readonly string[] {
  const { total: _, ...byClass } = answerOf(story).usage?.podSeconds ?? expect.fail("no usage");
  return Object.entries(byClass satisfies Omit<UsageAnswer["podSeconds"], "total">).flatMap(([of, seconds]) =>
    seconds > 0 ? [of] : [],
  );
}

/** A Pod that has run for a minute. */
function running(): Story {
  const story = new Story();
  story.jobCreated({ parallelism: 2, completions: 2 });
  story.jobTracked();
  story.podsRunning("a");
  story.podReserved("a");
  story.after(60);
  return story;
}

describe("the time of a Pod", () => {
  it("is active while it runs, and kept once it has succeeded", () => {
    const story = running();
    expect(classesOf(story)).toEqual(["active"]);
    story.containerEnded("a", 0, 60);
    story.podTerminated("a", "Succeeded", { tracked: true });
    expect(classesOf(story)).toEqual(["kept"]);
  });

  it("has failed by its own exit code", () => {
    const story = running();
    story.containerEnded("a", 3, 60);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(classesOf(story)).toEqual(["failed"]);
  });

  it("was interrupted by a preemption", () => {
    const story = running();
    story.podDisrupted("a", "PreemptionByScheduler");
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.containerEnded("a", 143, 60);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(classesOf(story)).toEqual(["interrupted"]);
  });

  it("was cancelled by a person, whatever the program answered", () => {
    const story = running();
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.requested({ pod: "a" }, "ada@example.com");
    story.after(1);
    story.containerEnded("a", 143, 61);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(classesOf(story)).toEqual(["cancelled"]);
  });

  it("is unknown if nothing shows who deleted it", () => {
    const story = running();
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.after(1);
    story.podDeleted("a");
    expect(classesOf(story)).toEqual(["unknown"]);
  });

  it.each([
    ["DeadlineExceeded", "failed"],
    ["BackoffLimitExceeded", "cancelled"],
  ])("that the Job's end cut off (%s) is %s", (reason, expected) => {
    const story = running();
    story.jobFinished("Failed", reason);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.after(1);
    story.containerEnded("a", 143, 61);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(classesOf(story)).toEqual([expected]);
  });
});
