import { describe, expect, it } from "vitest";
import { causeOfPod, failedRunsOf, isReleasedByJob, killedBeside } from "../../../src/job/cause/cause-of-pod.ts";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import { eventAbout } from "../../support/story/event-about.ts";
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

  /** A Pod is Pending until each container has started. A placeholder of one that never ran is no lost outcome. */
  it("of one whose second container never started is what that container waited for", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a", { containers: ["work", "helper"] });
    story.podObserved("a", { phase: "Pending", waiting: { container: "helper", reason: "ErrImagePull" } });
    story.containerEnded("a", 0, 3);
    story.after(30);
    story.podDeletionRequested("a", "Pending", { graceSeconds: 30 });
    story.containerEnded("a", 137, 0, { container: "helper", reason: "ContainerStatusUnknown" });
    story.podTerminated("a", "Failed");
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(causeOfPod(story.pod("a"), contextOf(story))).toMatchObject({
      cause: "imageNotPulled",
      container: "helper",
      role: "main",
    });
  });

  it("of one that vanished is what the kubelet did not report", () => {
    const story = running((s) => s.podVanished("a"));
    const lost = { cause: "outcomeLost", by: "kubelet", node: "node-a" };
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(lost);
  });

  it("of one that was deleted by force is the deletion", () => {
    const story = running((s) => (deleted(0)(s), s.podDeleted("a", true)));
    expect(causeOfPod(story.pod("a"), contextOf(story))).toMatchObject({ cause: "outcomeLost", by: "deletion" });
  });

  it("of one that was released in the event that showed its failed run is that run no longer", () => {
    const story = running((s) => {
      s.podUntracked("a");
      s.inOneEvent(() => {
        s.containerEnded("a", 3, 5);
        s.podDeletionRequested("a", "Running", { graceSeconds: 30 });
      });
      s.containerEnded("a", 143, 1, { restartCount: 1 });
      s.podTerminated("a", "Failed");
    });
    expect(causeOfPod(story.pod("a"), contextOf(story))).toBeUndefined();
  });

  it("of one whose container waited, and then succeeded, is what was lost", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a", { containers: ["work", "helper"] });
    story.podObserved("a", { phase: "Pending", waiting: { container: "work", reason: "ErrImagePull" } });
    story.containerEnded("a", 0, 1, { container: "prepare", init: true });
    story.containerEnded("a", 0, 3);
    story.after(30);
    story.podDeletionRequested("a", "Pending", { graceSeconds: 30 });
    story.containerEnded("a", 137, 0, { container: "helper", reason: "ContainerStatusUnknown" });
    story.podTerminated("a", "Failed");
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual({ cause: "outcomeLost", by: "kubelet" });
  });

  it("of one whose sidecar never was ready is why the sidecar failed", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a", { sidecars: ["proxy"] });
    story.containerEnded("a", 1, 3, { container: "proxy" });
    story.after(30);
    story.podDeletionRequested("a", "Pending", { graceSeconds: 30 });
    story.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
    story.podTerminated("a", "Failed");
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(causeOfPod(story.pod("a"), contextOf(story))).toMatchObject({ cause: "exited", role: "sidecar" });
  });

  it("names an init container as such while it waits", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podObserved("a", { phase: "Pending", waiting: { container: "prepare", reason: "ErrImagePull" } });
    story.podDeletionRequested("a", "Pending", { graceSeconds: 30 });
    story.podTerminated("a", "Failed");
    expect(causeOfPod(story.pod("a"), contextOf(story))).toMatchObject({ container: "prepare", role: "init" });
  });
});

const by = (exitCode?: number) => ({
  cause: "deleted",
  actor: "unknown",
  confidence: "possible",
  ...(exitCode !== undefined && { exitCode }),
});
const exits = (exitCode: number) => ({ cause: "exited", container: "work", role: "main", exitCode });

describe("a failed Pod that was deleted while it ran", () => {
  /** The deletion is requested in second 10; the container ends in the second given. */
  it.each<[string, number, number | undefined, object]>([
    ["answers SIGTERM", 143, 12, by(143)],
    ["is killed", 137, 12, by(137)],
    ["answers SIGTERM with success", 0, 12, by(0)],
    ["is killed in a second that the kubelet dates before the deletion", 137, 9, by(137)],
    ["answers SIGTERM in a second that the kubelet dates before the deletion", 143, 9, by(143)],
    ["answers with success in a second that the kubelet dates before the deletion", 0, 9, by(0)],
    ["gives an exit code of its own in the second of the deletion", 3, 10, by(3)],
    ["gives an exit code of its own at an unknown time", 3, undefined, by(3)],
    ["had failed in the second before", 3, 9, exits(3)],
  ])("%s: %i in second %s", (_, exitCode, second, cause) => {
    const story = running(deleted(30));
    const end = { container: "work", restartCount: 0, exitCode, reason: exitCode === 0 ? "Completed" : "Error" };
    const finished = second === undefined ? {} : { finishedAt: story.second(second) };
    story.facts.push({ ...story.podStamp("a"), kind: "ContainerEnded", ...end, ...finished });
    story.podTerminated("a", "Failed", { tracked: true });
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(cause);
  });

  it("names the user that the audit log shows", () => {
    const story = running((s) => (s.requested({ pod: "a" }, "alice"), deleted(30)(s), ends(143)(s)));
    const cause = { cause: "deleted", actor: "alice", confidence: "certain", exitCode: 143 };
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(cause);
  });
});

const gone = (story: Story) => story.podDeleted("a", true);

describe("a Pod whose end is not known", () => {
  it("was deleted, where it never ran", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podDeletionRequested("a", "Pending", { graceSeconds: 30 });
    story.podDeleted("a");
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(by());
  });

  it("was deleted, where it had time to end", () => {
    const story = running((s) => (deleted(30)(s), gone(s)));
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(by());
  });

  it("was lost, where it is gone and no deletion was requested", () => {
    const story = running(gone);
    const lost = { cause: "outcomeLost", by: "kubelet", node: "node-a" };
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(lost);
  });

  it("was lost by the kubelet, where it failed without saying how, even if it was deleted by force", () => {
    const story = running((s) => {
      deleted(0)(s);
      s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
      s.podTerminated("a", "Failed", { tracked: true });
    });
    expect(causeOfPod(story.pod("a"), contextOf(story))).toMatchObject({ cause: "outcomeLost", by: "kubelet" });
  });

  it.each<[string, (story: Story) => void, object | undefined]>([
    ["is no cause itself", () => undefined, undefined],
    ["failed for the run in place before it", (s) => s.containerEnded("a", 3, 5), exits(3)],
  ])("%s, where the end of the Job took it away", (_, tell, cause) => {
    const story = running((s) => {
      tell(s);
      deleted(30)(s);
      s.jobFinished("Failed", "DeadlineExceeded");
      s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown", restartCount: 1 });
      gone(s);
    });
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(cause);
  });
});

describe("a Pod that the Job controller released", () => {
  it("failed for the memory that it ran out of while it was stopped", () => {
    expect(causeOf((s) => (released(s), ends(137, { reason: "OOMKilled" })(s)))).toBe("outOfMemory");
  });

  it("failed for the first of its failed runs", () => {
    const story = running((s) => {
      for (const [restartCount, exitCode] of [3, 4, 0].entries()) {
        s.containerEnded("a", exitCode, 1, { restartCount });
        s.after(5);
      }
      released(s);
    });
    story.containerEnded("a", 143, 1, { restartCount: 3 });
    story.podTerminated("a", "Failed");
    expect(causeOfPod(story.pod("a"), contextOf(story))).toEqual(exits(3));
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

  it("do not include the last run of a container because another one was restarted", () => {
    const story = running((s) => {
      s.containerEnded("a", 3, 1, { container: "helper" });
      s.containerEnded("a", 4, 1);
      s.containerEnded("a", 5, 1, { restartCount: 1 });
      s.podTerminated("a", "Failed", { tracked: true });
    });
    expect(failedRunsOf(story.pod("a"), contextOf(story)).map(({ why }) => why)).toEqual([exits(4)]);
  });

  it("include the last run of a Pod that goes on, with the time at which it ended", () => {
    const story = running((s) => s.containerEnded("a", 3, 1));
    expect(failedRunsOf(story.pod("a"), contextOf(story))).toEqual([{ why: exits(3), at: story.now }]);
  });

  it("are in the order of their numbers, then of their containers, where one event shows several", () => {
    const story = running((s) =>
      s.inOneEvent(() => {
        s.containerEnded("a", 5, 1, { restartCount: 1 });
        s.containerEnded("a", 4, 1, { container: "work" });
        s.containerEnded("a", 3, 1, { container: "helper" });
      }),
    );
    const found = failedRunsOf(story.pod("a"), contextOf(story)).map(({ why }) => "exitCode" in why && why.exitCode);
    expect(found).toEqual([3, 4, 5]);
  });

  it("include one that ran out of memory with exit code 0", () => {
    const story = running((s) => s.containerEnded("a", 0, 1, { reason: "OOMKilled" }));
    expect(failedRunsOf(story.pod("a"), contextOf(story)).map(({ why }) => why.cause)).toEqual(["outOfMemory"]);
  });
});

describe("a Pod", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["is released where the finalizer went first", released, true],
    ["is not released where a user deleted it", deleted(30), false],
    ["is not released while it is not deleted", (s) => s.podUntracked("a"), false],
    [
      "is not released where the end of the Job took it away",
      (s) => (released(s), s.jobFinished("Failed", "DeadlineExceeded")),
      false,
    ],
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

describe("a container that a probe had killed and that answered with success", () => {
  const named = { reason: "Killing", details: { about: "probe", probe: "liveness", container: "work" } } as const;
  const unhealthy = { reason: "Unhealthy", details: { about: "probe", probe: "liveness" } } as const;
  const unready = { reason: "Unhealthy", details: { about: "probe", probe: "readiness" } } as const;
  const killing = { reason: "Killing" } as const;

  it.each<[string, readonly object[], number, readonly string[]]>([
    ["an Event Killing that names the probe", [named], 0, ["probeFailed"]],
    ["Events of a failed probe and of the kill", [unhealthy, killing], 0, ["probeFailed"]],
    ["only an Event of a failed check", [unhealthy], 0, []],
    ["Events of a failed readiness probe and of a kill", [unready, killing], 0, []],
    ["only an Event of the kill", [killing], 0, []],
    ["a failure of its own", [unhealthy, killing], 3, []],
  ])("with %s is the cause where it is certain", (_, events, exitCode, expected) => {
    const story = running(ends(exitCode));
    for (const event of events) eventAbout(story, "a", event);
    const context = contextOf(story);
    const why = causeOfPod(story.pod("a"), context);
    expect(killedBeside(story.pod("a"), why, context).map((run) => run.why.cause)).toEqual(expected);
  });
});
