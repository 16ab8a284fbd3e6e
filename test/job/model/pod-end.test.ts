import { describe, expect, it } from "vitest";
import {
  decisiveEnd,
  endedAt,
  endOrder,
  hasRun,
  isMain,
  hasRestartedAll,
  isOwnSuccess,
  isWhileTerminating,
  knownEnds,
  lastEnds,
  restartsOf,
  startedAt,
} from "../../../src/job/model/pod-end.ts";
import { Story } from "../../support/story/story.ts";

/** Pod "a" with main containers "work" and "log" and the sidecar "proxy", 20 seconds after its start. */
function running(): Story {
  const story = new Story();
  story.podCreated("a", { containers: ["work", "log"], sidecars: ["proxy"] });
  story.podStarted("a");
  story.after(20);
  return story;
}

describe("the decisive end of a Pod", () => {
  it.each<readonly [string, "Succeeded" | "Failed", (story: Story) => void, string | undefined]>([
    ["unknown if no container end was observed", "Failed", () => {}, undefined],
    [
      "that of the main container that failed first",
      "Failed",
      (s) => (s.containerEnded("a", 1, 5, { container: "log" }), s.after(1), s.containerEnded("a", 2, 5)),
      "log",
    ],
    [
      "that of a failed main container, not of one that succeeded earlier",
      "Failed",
      (s) => (s.containerEnded("a", 0, 5, { container: "log" }), s.after(1), s.containerEnded("a", 2, 5)),
      "work",
    ],
    [
      "that of an init container if no main container failed",
      "Failed",
      (s) => (s.containerEnded("a", 3, 5, { container: "fetch", init: true }), s.after(1), s.containerEnded("a", 0, 1)),
      "fetch",
    ],
    [
      "that of the last main container of a Pod that succeeded",
      "Succeeded",
      (s) => (s.containerEnded("a", 0, 5), s.after(1), s.containerEnded("a", 0, 5, { container: "log" })),
      "log",
    ],
    [
      "that of a main container of a Pod that succeeded, whatever a container's exit code was",
      "Succeeded",
      (s) => (s.containerEnded("a", 1, 5, { container: "log" }), s.after(1), s.containerEnded("a", 0, 5)),
      "work",
    ],
    ["never that of a sidecar", "Failed", (s) => s.containerEnded("a", 143, 5, { container: "proxy" }), undefined],
    [
      "a real end rather than an earlier placeholder",
      "Failed",
      (s) => (
        s.containerEnded("a", 137, 0, { container: "log", reason: "ContainerStatusUnknown" }),
        s.after(1),
        s.containerEnded("a", 2, 5)
      ),
      "work",
    ],
    [
      "a placeholder if nothing else is known",
      "Failed",
      (s) => s.containerEnded("a", 137, 0, { container: "log", reason: "ContainerStatusUnknown" }),
      "log",
    ],
  ])("is %s", (_, phase, tell, container) => {
    const story = running();
    tell(story);
    story.podTerminated("a", phase);
    expect(decisiveEnd(story.pod("a"))?.container).toBe(container);
  });
});

describe("the last ends of a Pod's containers", () => {
  it("are in the order of its containers, then by name", () => {
    const story = running();
    for (const container of ["proxy", "fetch", "log", "work"]) story.containerEnded("a", 0, 1, { container });
    const ends = lastEnds(story.pod("a"));
    expect(ends.map(({ container }) => container)).toEqual(["work", "log", "fetch", "proxy"]);
    expect(ends.filter((end) => isMain(story.pod("a"), end)).map(({ container }) => container)).not.toContain("proxy");
  });

  it("are those of the highest restart count, but a placeholder only without a real end", () => {
    const story = running();
    story.containerEnded("a", 4, 1);
    story.containerEnded("a", 5, 1, { restartCount: 1 });
    story.containerEnded("a", 137, 0, { restartCount: 2, reason: "ContainerStatusUnknown" });
    expect(lastEnds(story.pod("a")).map(({ exitCode }) => exitCode)).toEqual([5]);
  });
});

describe("the run of a Pod", () => {
  it("starts with its first container", () => {
    const story = running();
    story.containerEnded("a", 0, 30, { container: "fetch", init: true });
    expect(startedAt(story.pod("a"))).toBe(story.now - 30_000);
  });

  it("starts when it was observed to run, if no container says more", () => {
    const story = new Story();
    story.podCreated("a");
    expect(startedAt(story.pod("a"))).toBeUndefined();
    story.after(5);
    story.containerEnded("a", 0, 3);
    expect(startedAt(story.pod("a"))).toBe(story.now - 3_000);
    story.containerEnded("a", 0, 1, { restartCount: 1 });
    expect(startedAt(story.pod("a"))).toBe(story.now - 3_000);
  });

  it("ends with its last main container", () => {
    const story = running();
    story.containerEnded("a", 0, 5);
    const end = story.now;
    story.after(5);
    story.containerEnded("a", 0, 5, { container: "proxy" });
    story.podTerminated("a", "Succeeded");
    expect(endedAt(story.pod("a"))).toBe(end);
  });

  it("ends when its terminal phase was observed if no container end is known", () => {
    const story = running();
    expect(endedAt(story.pod("a"))).toBeUndefined();
    story.podTerminated("a", "Failed");
    expect(endedAt(story.pod("a"))).toBe(story.now);
  });

  it("is proven by a start or by a container end", () => {
    const story = new Story();
    story.podCreated("a");
    expect(hasRun(story.pod("a"))).toBe(false);
    story.containerEnded("a", 1, 1);
    expect(hasRun(story.pod("a"))).toBe(true);
    expect(hasRun(running().pod("a"))).toBe(true);
  });
});

const orderOf = (tell: (story: Story) => void, containers: readonly string[] = ["work", "log"]) => {
  const story = new Story();
  story.podCreated("a", { containers, sidecars: ["proxy"] });
  tell(story);
  story.podTerminated("a", "Succeeded");
  const { succeeded, ended } = story.pod("a");
  if (succeeded === undefined) throw new Error("The Pod succeeded.");
  const order = endOrder(story.pod("a"), succeeded).resourceVersion;
  return [...(ended?.values() ?? []), succeeded].find(({ resourceVersion }) => resourceVersion === order);
};

const ended = (container: string) => (story: Story) => story.containerEnded("a", 0, 1, { container });

describe("the order of a Pod's end", () => {
  it("is that of the last main container, which was observed before the phase", () => {
    expect(orderOf((s) => (ended("work")(s), ended("log")(s)))).toMatchObject({ container: "log" });
    expect(orderOf((s) => (ended("log")(s), ended("work")(s)))).toMatchObject({ container: "work" });
  });

  it.each<[string, (story: Story) => void, readonly string[]]>([
    ["a main container has no known end", ended("work"), ["work", "log"]],
    ["its containers are unknown", ended("work"), []],
    ["only a sidecar has ended", ended("proxy"), ["work"]],
  ])("is that of the phase where %s", (_, tell, containers) => {
    expect(orderOf(tell, containers)?.kind).toBe("PodTerminated");
  });
});

describe("a success", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["without a deletion", (s) => (s.containerEnded("a", 0, 1), s.podTerminated("a", "Succeeded")), true],
    [
      "whose containers had ended before the deletion",
      (s) => (s.containerEnded("a", 0, 1), s.podDeletionRequested("a", "Running"), s.podTerminated("a", "Succeeded")),
      true,
    ],
    [
      "that was reported after the deletion, and had ended a second earlier",
      (s) => (
        s.after(1),
        s.podDeletionRequested("a", "Running"),
        s.containerEnded("a", 0, 1, { finishedAt: s.now - 1_000 }),
        s.podTerminated("a", "Succeeded")
      ),
      true,
    ],
    [
      "in the second of the deletion, reported after it",
      (s) => (s.podDeletionRequested("a", "Running"), s.containerEnded("a", 0, 1), s.podTerminated("a", "Succeeded")),
      false,
    ],
    ["that was not observed", (s) => s.podDeletionRequested("a", "Running"), false],
  ])("%s is the program's own: %s", (_, tell, isOwn) => {
    const story = new Story();
    story.podCreated("a");
    story.podStarted("a");
    tell(story);
    expect(isOwnSuccess(story.pod("a"))).toBe(isOwn);
  });
});

describe("the restarts of a Pod", () => {
  it("are none where none was observed", () => {
    const story = new Story();
    story.podCreated("a");
    expect(restartsOf(story.pod("a"))).toBe(0);
  });

  it("are the observed sum, or more if the known runs prove it", () => {
    const story = running();
    story.podObserved("a", { restarts: 2 });
    expect(restartsOf(story.pod("a"))).toBe(2);
    story.containerEnded("a", 1, 1, { restartCount: 2 });
    story.containerEnded("a", 1, 1, { container: "log", restartCount: 1 });
    expect(restartsOf(story.pod("a"))).toBe(3);
  });
});

/** Ends that are not all known equally well. */
const placeholder = { reason: "ContainerStatusUnknown" };
const byRuntime = { reason: "Unknown" };

describe("the first failure of a Pod's containers", () => {
  it.each<[string, (story: Story) => void, string]>([
    [
      "is one that is known, rather than an earlier one that the container runtime lost",
      (s) => (s.containerEnded("a", 255, 5, byRuntime), s.after(5), s.containerEnded("a", 1, 5, { container: "log" })),
      "log",
    ],
    [
      "is one that the container runtime lost, rather than an earlier placeholder",
      (s) => (
        s.containerEnded("a", 137, 0, { ...placeholder, container: "log" }),
        s.after(5),
        s.containerEnded("a", 255, 5, byRuntime)
      ),
      "work",
    ],
    [
      "is dated by its observation, where it names no instant",
      (s) => (unfinished(s, "log"), s.after(5), s.containerEnded("a", 1, 5)),
      "log",
    ],
    [
      "is the one that ended first, not the one that was observed first",
      (s) => (
        s.containerEnded("a", 1, 5),
        s.containerEnded("a", 2, 5, { container: "log", finishedAt: s.now - 5_000 })
      ),
      "log",
    ],
    [
      "is the last success, where none failed",
      (s) => (s.containerEnded("a", 0, 5, { container: "log" }), s.after(5), s.containerEnded("a", 0, 5)),
      "work",
    ],
    [
      "is not that of an init container, where a main container failed later",
      (s) => (
        s.containerEnded("a", 3, 5, { container: "fetch", init: true }),
        s.after(5),
        s.containerEnded("a", 1, 5, { restartCount: 1 })
      ),
      "work",
    ],
  ])("%s", (_, tell, container) => {
    const story = running();
    tell(story);
    story.podTerminated("a", "Failed");
    expect(decisiveEnd(story.pod("a"))?.container).toBe(container);
  });
});

/** A container failed, and no time of its end is known. */
function unfinished(story: Story, container: string): void {
  const end = { container, restartCount: 0, exitCode: 1, reason: "Error" };
  story.facts.push({ ...story.podStamp("a"), kind: "ContainerEnded", ...end });
}

describe("the times of a Pod", () => {
  it("start with the earliest start of all runs, in whatever order they were observed", () => {
    const story = running();
    story.containerEnded("a", 0, 5, { startedAt: 30 });
    story.containerEnded("a", 0, 5, { container: "log", startedAt: 20 });
    story.containerEnded("a", 0, 5, { container: "proxy", startedAt: 40 });
    expect(startedAt(story.pod("a"))).toBe(20);
  });

  it("start with the observation of a start that names no instant", () => {
    const story = new Story();
    story.podCreated("a");
    story.after(5);
    story.facts.push({ ...story.podStamp("a"), kind: "PodStarted" });
    expect(startedAt(story.pod("a"))).toBe(story.now);
  });

  it("end with the latest end of the main containers, in whatever order they were observed", () => {
    const story = running();
    story.containerEnded("a", 0, 5, { finishedAt: 30 });
    story.containerEnded("a", 0, 5, { container: "log", finishedAt: 20 });
    story.containerEnded("a", 0, 5, { container: "fetch", init: true, finishedAt: 40 });
    expect(endedAt(story.pod("a"))).toBe(30);
  });

  it("are no proof of a run, where only a placeholder is known", () => {
    const story = new Story();
    story.podCreated("a");
    story.containerEnded("a", 137, 0, placeholder);
    expect(hasRun(story.pod("a"))).toBe(false);
  });
});

describe("a success without a container end", () => {
  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])("that was observed after the deletion, and %i s later, is the program's own: %s", (seconds, isOwn) => {
    const story = new Story();
    story.after(10);
    story.podDeletionRequested("a", "Running");
    story.after(seconds);
    story.podTerminated("a", "Succeeded");
    expect(isOwnSuccess(story.pod("a"))).toBe(isOwn);
  });
});

describe("the restarts that the known runs prove", () => {
  it("are the highest number of each container, whatever the order of its runs", () => {
    const story = running();
    for (const restartCount of [1, 3, 2]) story.containerEnded("a", 1, 1, { restartCount });
    expect(restartsOf(story.pod("a"))).toBe(3);
  });

  it("are none by a placeholder", () => {
    const story = running();
    story.containerEnded("a", 1, 1, { restartCount: 1 });
    story.containerEnded("a", 137, 0, { ...placeholder, restartCount: 5 });
    expect(restartsOf(story.pod("a"))).toBe(1);
  });
});

describe("the last run of a container", () => {
  it.each([
    ["before", true],
    ["after", false],
  ])("is the real one, where a placeholder with a higher number was observed %s it", (_, isFirst) => {
    const story = running();
    const unknown = () => story.containerEnded("a", 137, 0, { ...placeholder, restartCount: 4 });
    if (isFirst) unknown();
    story.containerEnded("a", 3, 1);
    if (!isFirst) unknown();
    expect(lastEnds(story.pod("a")).map(({ exitCode }) => exitCode)).toEqual([3]);
  });
});

describe("a restart of all containers", () => {
  const removed = { reason: "RestartingAllContainers" };
  const story = running();
  story.containerEnded("a", 88, 5);
  story.containerEnded("a", 137, 0, removed);
  story.containerEnded("a", 137, 0, { ...removed, container: "log" });
  const pod = story.pod("a");

  it("is the consequence of the end that it replaced by a placeholder", () => {
    const ends = [...(pod.ended?.values() ?? [])].filter((end) => hasRestartedAll(pod, end));
    expect(ends.map(({ container, exitCode }) => [container, exitCode])).toEqual([["work", 88]]);
  });

  it("leaves the real end of that run, and a placeholder of the other containers", () => {
    expect(knownEnds(pod).map(({ container, exitCode }) => [container, exitCode])).toEqual([
      ["work", 88],
      ["log", 137],
    ]);
  });
});

describe("the end of a sidecar", () => {
  it.each<[string, boolean, (story: Story) => void]>([
    [
      "before the deletion is its own",
      false,
      (s) => (s.containerEnded("a", 2, 5, { container: "proxy" }), deletion(s)),
    ],
    [
      "after it belongs to that",
      true,
      (s) => (deletion(s), s.after(1), s.containerEnded("a", 2, 5, { container: "proxy" })),
    ],
    ["without a deletion is its own", false, (s) => s.containerEnded("a", 2, 5, { container: "proxy" })],
  ])("%s", (_, expected, tell) => {
    const story = running();
    tell(story);
    const pod = story.pod("a");
    expect([...(pod.ended?.values() ?? [])].map((end) => isWhileTerminating(pod, end))).toEqual([expected]);
  });

  it("is never that of a main container", () => {
    const story = running();
    deletion(story);
    story.containerEnded("a", 143, 5);
    const pod = story.pod("a");
    expect([...(pod.ended?.values() ?? [])].map((end) => isWhileTerminating(pod, end))).toEqual([false]);
  });
});

function deletion(story: Story): void {
  story.after(1);
  story.podDeletionRequested("a", "Running");
}
