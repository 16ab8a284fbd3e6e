import { describe, expect, it } from "vitest";
import { StoppedPodsSearch, type StoppedPods } from "../../../src/job/cause/stopped-pods.ts";
import { Story } from "../../support/story/story.ts";

function stoppedOf({ record, clusterContext }: Story): StoppedPods | undefined {
  const [found, reversed] = [[...record.pods.values()], [...record.pods.values()].toReversed()].map((pods) => {
    const search = new StoppedPodsSearch({ job: record.job, clusterContext });
    for (const pod of pods) search.visit(pod);
    return search.found();
  });
  // Pods are visited in any order.
  expect(reversed).toEqual(found);
  return found;
}

function running(...pods: readonly string[]): Story {
  const story = new Story();
  story.jobCreated({ parallelism: 2, completions: 2 });
  story.jobTracked();
  story.podsRunning(...pods);
  story.after(10);
  return story;
}

/** The Job controller removes the finalizer, then deletes the Pod. */
function released(story: Story, pod: string): void {
  story.podUntracked(pod);
  story.podDeletionRequested(pod, "Running", { graceSeconds: 30 });
  story.containerEnded(pod, 143, 10);
  story.podTerminated(pod, "Failed");
}

/** A user deletes the Pod, and its program answers with exit code 0. */
function answers(story: Story, pod: string): void {
  story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 30 });
  story.containerEnded(pod, 0, 10);
  story.podTerminated(pod, "Succeeded", { tracked: true });
}

const suspended = { type: "Suspended", status: "True", reason: "JobSuspended" };
const NONE = { bySuspension: 0, byRelease: 0, surplus: 0, byEnd: 0 };

describe("Pods that were stopped", () => {
  it("are those that a suspension stopped", () => {
    const story = running("a", "b");
    story.jobReported({ conditions: [{ ...suspended, lastTransitionAt: story.now }] });
    released(story, "a");
    expect(stoppedOf(story)).toEqual({ ...NONE, bySuspension: 1 });
  });

  it("are those that were released because fewer were needed", () => {
    const story = running("a", "b");
    released(story, "a");
    expect(stoppedOf(story)).toEqual({ ...NONE, surplus: 1 });
  });

  it("are those that went with the Job's end, unless they had failed before", () => {
    const story = running("a", "b");
    story.containerEnded("a", 5, 4);
    for (const pod of ["a", "b"]) {
      story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 30 });
      story.containerEnded(pod, 143, 2, { restartCount: 1 });
      story.podTerminated(pod, "Failed", { tracked: true });
    }
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 2 });
    expect(stoppedOf(story)).toEqual({ ...NONE, byEnd: 1 });
  });

  it("are those that were released while the Job was suspended or scaled down, whichever it was", () => {
    const story = running("a", "b");
    story.jobSpecified({ suspend: true }, 2);
    released(story, "a");
    story.jobSpecified({ suspend: false }, 3);
    expect(stoppedOf(story)).toEqual({ ...NONE, byRelease: 1 });
  });

  it("are counted by each reason", () => {
    const story = running("a", "b", "c");
    story.jobSpecified({ suspend: true }, 2);
    released(story, "a");
    story.jobSpecified({ suspend: false }, 3);
    story.after(120);
    story.jobReported({ conditions: [{ ...suspended, lastTransitionAt: story.now }] });
    released(story, "b");
    expect(stoppedOf(story)).toEqual({ ...NONE, byRelease: 1, bySuspension: 1 });
  });

  it("are those that went with the end of the Job", () => {
    const story = running("a", "b");
    story.podDeletionRequested("b", "Running", { tracked: true, graceSeconds: 30 });
    story.jobFinished("Failed", "PodFailurePolicy", { failed: 1 });
    story.containerEnded("b", 143, 10);
    story.podTerminated("b", "Failed", { tracked: true });
    expect(stoppedOf(story)).toEqual({ ...NONE, byEnd: 1 });
  });

  it.each([
    ["counted as succeeded, where nothing is counted as failed", { succeeded: 2 }, "succeeded"],
    ["counted as failed, where a success is missing", { succeeded: 1, failed: 1 }, "failed"],
  ] as const)("are those that answered a deletion with exit code 0: %s", (_, counters, countedAs) => {
    const story = running("a", "b");
    answers(story, "a");
    story.after(5);
    story.containerEnded("b", 0, 15);
    story.podTerminated("b", "Succeeded", { tracked: true });
    story.jobFinished("Complete", "CompletionsReached", counters);
    const by = { actor: "unknown", confidence: "possible" };
    expect(stoppedOf(story)).toEqual({ ...NONE, answered: { pods: 1, by, countedAs } });
  });

  it("leave open how a running Job counts them, and name who deleted the first", () => {
    const story = running("a", "b");
    story.requested({ pod: "b" }, "alice");
    answers(story, "b");
    story.after(1);
    answers(story, "a");
    const by = { actor: "alice", confidence: "certain" };
    expect(stoppedOf(story)).toEqual({ ...NONE, answered: { pods: 2, by } });
  });

  it("are none where every Pod ended by itself", () => {
    const story = running("a");
    story.containerEnded("a", 0, 10);
    story.podTerminated("a", "Succeeded", { tracked: true });
    story.podDeletionRequested("a", "Succeeded");
    expect(stoppedOf(story)).toBeUndefined();
  });

  it("are not those that the garbage collector deleted with their Job", () => {
    const story = running("a");
    story.jobDeletionRequested();
    story.after(5);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.containerEnded("a", 0, 10);
    story.podTerminated("a", "Succeeded", { tracked: true });
    expect(stoppedOf(story)).toBeUndefined();
  });

  it.each([
    [2, 0, undefined],
    [1, 1, undefined],
  ] as const)(
    "have %i successes and %i failures that show how both of them were counted: %s",
    (succeeded, failed, as) => {
      const story = running("a", "b");
      for (const pod of ["a", "b"]) answers(story, pod);
      story.after(5);
      story.jobFinished("Failed", "DeadlineExceeded", { succeeded, failed: failed + 1 });
      expect(stoppedOf(story)?.answered?.countedAs).toBe(as);
    },
  );

  it("are failures, and not only stopped, where they failed the Job", () => {
    const story = running("a", "b");
    for (const pod of ["a", "b"]) answers(story, pod);
    story.after(5);
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 2 });
    expect(stoppedOf(story)).toBeUndefined();
  });

  it("are named by the first deletion, and by the uid where two were requested at once", () => {
    const story = running("a", "b");
    story.requested({ pod: "a" }, "alice");
    story.requested({ pod: "b" }, "bob");
    answers(story, "b");
    answers(story, "a");
    expect(stoppedOf(story)?.answered).toMatchObject({ pods: 2, by: { actor: "alice" } });
    const later = running("a", "b");
    later.requested({ pod: "b" }, "bob");
    answers(later, "b");
    later.after(1);
    later.requested({ pod: "a" }, "alice");
    answers(later, "a");
    expect(stoppedOf(later)?.answered).toMatchObject({ pods: 2, by: { actor: "bob" } });
  });
});
