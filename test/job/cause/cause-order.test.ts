import { describe, expect, it } from "vitest";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { Story } from "../../support/story/story.ts";

/** The causes of a Job's Pods in the order of their first occurrences. */
function orderOf(tell: (story: Story) => void): readonly string[] {
  const story = new Story();
  story.jobCreated({ backoffLimit: 9 });
  story.jobTracked();
  tell(story);
  return derivedOf(story).cause?.shares.map(({ why }) => why.cause) ?? [];
}

const runs = (pod: string) => (story: Story) => (story.podCreated(pod), story.podTracked(pod), story.podStarted(pod));

describe("causes are in the order in which they first occurred:", () => {
  it.each<[string, (story: Story) => void]>([
    ["a Pod that vanished, when that was observed", (story) => story.podVanished("late")],
    ["a deleted Pod, when it was deleted", (story) => story.podDeleted("late", true)],
    [
      "a Pod whose deletion was requested, when it was",
      (story) => {
        story.podDeletionRequested("late", "Running", { tracked: true });
        story.after(30);
        story.podDeleted("late", true);
        story.podFails("last", 3, 1, { tracked: true, reason: "DeadlineExceeded" });
      },
    ],
  ])("%s", (_, tell) => {
    const order = orderOf((story) => {
      runs("late")(story);
      story.after(10);
      story.podFails("early", 3, 1, { tracked: true });
      story.after(10);
      tell(story);
    });
    expect(order.slice(0, 2)).toEqual(["exited", "outcomeLost"]);
  });

  it("a deleted Pod, when its deletion was requested and not when it was gone", () => {
    const order = orderOf((story) => {
      runs("late")(story);
      story.podDeletionRequested("late", "Running", { tracked: true });
      story.after(10);
      story.podFails("other", 3, 1, { tracked: true });
      story.podDeleted("late", true);
    });
    expect(order).toEqual(["outcomeLost", "exited"]);
  });
});

/** A Job whose Pods fail with these exit codes, one after the other, and which then fails. */
function failsWith(exitCodes: readonly number[], finish: (story: Story) => void): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 9 });
  story.jobTracked();
  for (const [at, exitCode] of exitCodes.entries()) story.podFails(`p${at}`, exitCode, 1, { tracked: true });
  finish(story);
  return story;
}

const fails = (reason: string) => (story: Story) => story.jobFinished("Failed", reason, { failed: 3 });

describe("the cause that decided", () => {
  it("is none where the condition does not name the Pod that the policy matched", () => {
    const { cause } = derivedOf(failsWith([1, 1, 42], fails("PodFailurePolicy")));
    expect(cause).toMatchObject({ decides: false, attempts: 2, why: { exitCode: 1 } });
  });

  it("is that of the named Pod", () => {
    const details = { about: "policyRule", action: "FailJob", rule: 0, pod: "render-p2" } as const;
    const story = failsWith([1, 1, 42], (s) => s.jobFailedWith("PodFailurePolicy", details, { failed: 3 }));
    expect(derivedOf(story).cause).toMatchObject({ decides: true, attempts: 1, why: { exitCode: 42 } });
  });

  it("is none of a Job without a failed index, and of one that did not fail", () => {
    expect(derivedOf(failsWith([1, 2], fails("FailedIndexes"))).cause?.decides).toBe(false);
    expect(derivedOf(failsWith([1, 2], () => undefined)).cause?.decides).toBe(false);
  });

  it.each(["FailedIndexes", "MaxFailedIndexesExceeded"])("is that of an index that failed for good: %s", (reason) => {
    const story = new Story();
    story.jobCreated({ completionMode: "Indexed", completions: 3, parallelism: 1, backoffLimitPerIndex: 1 });
    story.jobTracked();
    for (const [pod, index, exitCode, indexFailureCount] of [
      ["a", 0, 1, 0],
      ["b", 2, 1, 0],
      ["last", 1, 3, 1],
    ] as const) {
      story.podCreated(pod, { index, indexFailureCount });
      story.podTracked(pod);
      story.podStarted(pod);
      story.containerEnded(pod, exitCode, 1);
      story.podTerminated(pod, "Failed", { tracked: true });
    }
    story.jobFinished("Failed", reason, { failed: 3, failedIndexes: "1" });
    expect(derivedOf(story).cause).toMatchObject({ decides: true, attempts: 1, why: { exitCode: 3 } });
  });
});

describe("of causes with as many attempts", () => {
  it("the one that occurred first is the cause", () => {
    const found = derivedOf(failsWith([2, 1, 1, 2], fails("BackoffLimitExceeded"))).cause;
    expect(found).toMatchObject({ attempts: 2, why: { exitCode: 2 }, unsuccessful: 4 });
    expect(found?.shares.map(({ attempts }) => attempts)).toEqual([2, 2]);
  });

  it("the one with more failed runs in place is the cause", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podStarted("a");
    for (const [restartCount, exitCode] of [1, 2, 2].entries()) {
      story.after(1);
      story.containerEnded("a", exitCode, 1, { restartCount });
    }
    story.podObserved("a", { restarts: 3 });
    expect(derivedOf(story).cause).toMatchObject({ attempts: 0, restarts: 2, why: { exitCode: 2 } });
  });
});
