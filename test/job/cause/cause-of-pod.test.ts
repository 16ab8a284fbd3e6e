import { describe, expect, it } from "vitest";
import { causeOfPod, failedRunsOf, isReleasedByJob, killedBeside } from "../../../src/job/cause/cause-of-pod.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import { Story } from "../../support/story/story.ts";

function running(tell: (story: Story) => void): Story {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  return story;
}

function contextOf(story: Story) {
  return { job: story.record.job, clusterContext: story.clusterContext };
}

function causeOf(tell: (story: Story) => void): PodCause["cause"] | undefined {
  const story = running(tell);
  return causeOfPod(story.pod("a"), contextOf(story))?.cause;
}

const deleted = (graceSeconds: number) => (story: Story) =>
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds });
const ends =
  (exitCode: number, more: object = {}) =>
  (story: Story) => {
    story.containerEnded("a", exitCode, 10, more);
    story.podTerminated("a", exitCode === 0 ? "Succeeded" : "Failed", { tracked: true });
  };
const released = (story: Story) => {
  story.podUntracked("a");
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
};

describe("the cause of one Pod", () => {
  it.each<[string, (story: Story) => void, PodCause["cause"] | undefined]>([
    ["of one that runs", () => undefined, undefined],
    ["of one that succeeded", ends(0), undefined],
    ["of one that failed", ends(3), "exited"],
    ["of one that was deleted and answered SIGTERM", (s) => (deleted(30)(s), ends(143)(s)), "deleted"],
    [
      "of one that had failed before its deletion, in another second",
      (s) => (s.containerEnded("a", 3, 10), s.after(5), deleted(30)(s), s.podTerminated("a", "Failed")),
      "exited",
    ],
    [
      "of one that was deleted and ran out of memory",
      (s) => (deleted(30)(s), ends(137, { reason: "OOMKilled" })(s)),
      "outOfMemory",
    ],
    ["of one that was deleted by force", (s) => (deleted(0)(s), s.podDeleted("a", true)), "outcomeLost"],
    ["of one that vanished", (s) => s.podVanished("a"), "outcomeLost"],
    ["of one that the Job controller released", (s) => (released(s), ends(143)(s)), undefined],
    [
      "of one that the Job controller released after a failed run in place",
      (s) => (s.containerEnded("a", 3, 5), released(s), ends(143, { restartCount: 1 })(s)),
      "exited",
    ],
    [
      "of one that the end of the Job took away",
      (s) => (deleted(30)(s), s.jobFinished("Failed", "DeadlineExceeded"), ends(143)(s)),
      undefined,
    ],
  ])("%s", (_, tell, cause) => {
    expect(causeOf(tell)).toBe(cause);
  });
});

/** The containers that ran out of memory beside the one that decided how Pod "a" ended. */
function beside(tell: (story: Story) => void): readonly string[] {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a", { containers: ["work", "helper"] });
  story.podStarted("a");
  story.after(10);
  tell(story);
  const context = contextOf(story);
  const why = causeOfPod(story.pod("a"), context);
  return killedBeside(story.pod("a"), why, context).map((run) =>
    "container" in run.why ? `${run.why.cause} ${run.why.container}` : run.why.cause,
  );
}

describe("containers that ran out of memory beside the one that decided", () => {
  const oom = { reason: "OOMKilled", container: "helper" };

  it.each<[string, (story: Story) => void, readonly string[]]>([
    ["are none in a Pod that runs", (s) => s.containerEnded("a", 137, 5, oom), []],
    [
      "are named if another container failed before",
      (s) => (
        s.containerEnded("a", 3, 5),
        s.after(4),
        s.containerEnded("a", 137, 9, oom),
        s.podTerminated("a", "Failed")
      ),
      ["outOfMemory helper"],
    ],
    [
      "are none if they decided",
      (s) => (
        s.containerEnded("a", 137, 5, oom),
        s.after(4),
        s.containerEnded("a", 3, 9),
        s.podTerminated("a", "Failed")
      ),
      [],
    ],
    [
      "are named if the Pod succeeded all the same",
      (s) => (s.containerEnded("a", 0, 5), s.containerEnded("a", 0, 5, oom), s.podTerminated("a", "Succeeded")),
      ["outOfMemory helper"],
    ],
    [
      "are none without one",
      (s) => (
        s.containerEnded("a", 3, 5),
        s.containerEnded("a", 137, 5, { container: "helper" }),
        s.podTerminated("a", "Failed")
      ),
      [],
    ],
  ])("%s", (_, tell, expected) => {
    expect(beside(tell)).toEqual(expected);
  });
});

describe("the runs that were restarted in place", () => {
  it("are in their order, without successes and placeholders", () => {
    const story = running((s) => {
      s.containerEnded("a", 137, 1, { reason: "OOMKilled" });
      s.after(5);
      s.containerEnded("a", 0, 1, { restartCount: 1 });
      s.after(5);
      s.containerEnded("a", 2, 1, { restartCount: 2 });
      s.after(5);
      s.containerEnded("a", 137, 0, { restartCount: 3, reason: "ContainerStatusUnknown" });
    });
    expect(failedRunsOf(story.pod("a"), contextOf(story)).map(({ why }) => why.cause)).toEqual([
      "outOfMemory",
      "exited",
    ]);
  });

  it("do not include the last run of a Pod that has ended", () => {
    const story = running(ends(3));
    expect(failedRunsOf(story.pod("a"), contextOf(story))).toEqual([]);
  });
});

describe("a Pod", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["is released where the finalizer went first", released, true],
    ["is not released where a user deleted it", deleted(30), false],
    [
      "is not released where it had ended before",
      (s) => (ends(3)(s), s.podUntracked("a"), s.podDeletionRequested("a", "Failed")),
      false,
    ],
  ])("%s", (_, tell, isReleased) => {
    const story = running(tell);
    expect(isReleasedByJob(story.pod("a"), contextOf(story))).toBe(isReleased);
  });
});
