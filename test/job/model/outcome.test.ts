import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/job/model/outcome.ts";
import { hasFlipped, isGone, isStillRunning, lostEndOf, outcomeOf } from "../../../src/job/model/outcome.ts";
import { restartsOf } from "../../../src/job/model/pod-end.ts";
import { Story } from "../../support/story/story.ts";

type Told = readonly [fact: string, tell: (story: Story) => void, outcome: Outcome, also: "gone" | "flipped" | ""];

describe("the outcome of a Pod", () => {
  it.each<Told>([
    ["is Active after its creation", () => {}, "Active", ""],
    ["is Active while it is running", (s) => s.podStarted("a"), "Active", ""],
    ["is Terminating while it is being deleted", (s) => s.podDeletionRequested("a", "Running"), "Terminating", ""],
    ["is Succeeded after phase Succeeded", (s) => s.podTerminated("a", "Succeeded"), "Succeeded", ""],
    ["is Failed after phase Failed", (s) => s.podTerminated("a", "Failed"), "Failed", ""],
    [
      "is its terminal phase after it was deleted",
      (s) => (s.podTerminated("a", "Failed"), s.podDeleted("a")),
      "Failed",
      "gone",
    ],
    ["is Unknown, never Failed, if it was removed without an end", (s) => s.podDeleted("a"), "Unknown", "gone"],
    ["is Unknown if it is missing from a list", (s) => s.podVanished("a"), "Unknown", "gone"],
    [
      "is its first terminal phase if the phase changes",
      (s) => (s.podTerminated("a", "Succeeded"), s.podTerminated("a", "Failed")),
      "Succeeded",
      "flipped",
    ],
    [
      "is its first terminal phase also from Failed to Succeeded",
      (s) => (s.podTerminated("a", "Failed"), s.podTerminated("a", "Succeeded")),
      "Failed",
      "flipped",
    ],
    [
      "is its terminal phase, although it was being deleted",
      (s) => (s.podDeletionRequested("a", "Running"), s.podTerminated("a", "Succeeded")),
      "Succeeded",
      "",
    ],
    ["is Unknown when containerd was down at its end", (s) => lost(s, 255, "Unknown"), "Unknown", ""],
    ["is Failed when its program itself exited with 255", (s) => lost(s, 255, "Error"), "Failed", ""],
    [
      "is Unknown when the kubelet lost a container that ran",
      (s) => lost(s, 137, "ContainerStatusUnknown"),
      "Unknown",
      "",
    ],
    ["is Failed when the kubelet lost a container that never ran", (s) => neverRan(s), "Failed", ""],
    [
      "is Failed when another container failed with an exit code of its own",
      (s) => (s.containerEnded("a", 3, 1, { container: "log" }), lost(s, 255, "Unknown")),
      "Failed",
      "",
    ],
    ["is Unknown when it answered the shutdown of its node with 0", (s) => shutDown(s, 0), "Unknown", ""],
    ["is Failed when it answered the shutdown of its node with 143", (s) => shutDown(s, 143), "Failed", ""],
    ...["Terminated", "NodeShutdown", "Shutdown"].map((reason): Told => [
      `is Unknown when it answered ${reason} with 0`,
      (s) => (s.podStarted("a"), s.containerEnded("a", 0, 5), s.podTerminated("a", "Failed", { reason })),
      "Unknown",
      "",
    ]),
    [
      "is Failed when its container ended with 0 for another reason",
      (s) => (s.podStarted("a"), s.containerEnded("a", 0, 5), s.podTerminated("a", "Failed", { reason: "Evicted" })),
      "Failed",
      "",
    ],
    [
      "is Failed when only a sidecar was lost",
      (s) => (
        s.podCreated("a", { sidecars: ["proxy"] }),
        s.podStarted("a"),
        s.containerEnded("a", 255, 5, { container: "proxy", reason: "Unknown" }),
        s.podTerminated("a", "Failed")
      ),
      "Failed",
      "",
    ],
    [
      "is that of the last run of a container, not of an earlier one that was lost",
      (s) => (
        s.containerEnded("a", 255, 5, { reason: "Unknown" }),
        s.containerEnded("a", 0, 5, { restartCount: 1 }),
        s.podTerminated("a", "Failed")
      ),
      "Failed",
      "",
    ],
    [
      "is Unknown when it was called Failed while it ran, and the container was lost then",
      (s) => (calledFailed(s), s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" })),
      "Unknown",
      "",
    ],
    ["is Unknown when it was called Failed while it ran", (s) => calledFailed(s), "Unknown", ""],
    [
      "is Failed when its container ended after the Pod was called Failed",
      (s) => (calledFailed(s), s.containerEnded("a", 143, 5)),
      "Failed",
      "",
    ],
  ])("%s", (_, tell, outcome, also) => {
    const story = new Story();
    tell(story);
    story.podCreated("a");
    const pod = story.pod("a");
    expect(outcomeOf(pod)).toBe(outcome);
    expect(isGone(pod)).toBe(also === "gone");
    expect(hasFlipped(pod)).toBe(also === "flipped");
  });
});

describe("the containers that ran when a Pod was called Failed", () => {
  it.each<[string, (story: Story) => void, boolean]>([
    ["ran on as far as is known", () => undefined, true],
    [
      "ran on where only a placeholder came",
      (s) => s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" }),
      true,
    ],
    ["have ended since", (s) => s.containerEnded("a", 143, 5), false],
  ])("%s", (_, tell, isRunning) => {
    const story = new Story();
    story.podCreated("a");
    calledFailed(story);
    tell(story);
    expect(isStillRunning(story.pod("a"))).toBe(isRunning);
    expect(lostEndOf(story.pod("a"))).toBe(isRunning ? "stillRunning" : undefined);
  });
});

describe("a Pod whose creation was not observed", () => {
  it("has the outcome of its containers", () => {
    const story = new Story();
    story.containerEnded("a", 255, 5, { reason: "Unknown" });
    story.podTerminated("a", "Failed");
    expect(outcomeOf(story.pod("a"))).toBe("Unknown");
  });
});

describe("a Pod that the kubelet evicted", () => {
  it("failed, also where a placeholder stands for its container: the kubelet killed it", () => {
    const story = new Story();
    story.podCreated("a");
    story.podStarted("a");
    story.containerEnded("a", 137, 0, { restartCount: 1, reason: "ContainerStatusUnknown" });
    story.podTerminated("a", "Failed", { reason: "Evicted" });
    expect(outcomeOf(story.pod("a"))).toBe("Failed");
    expect(restartsOf(story.pod("a"))).toBe(0);
  });
});

describe("a Pod that was never Running, with a placeholder for its second container", () => {
  it.each([
    ["helper", "Failed"],
    ["work", "Unknown"],
  ])("after container %s was observed to wait, is %s", (container, outcome) => {
    const story = new Story();
    story.podCreated("a", { containers: ["work", "helper"] });
    story.podObserved("a", { phase: "Pending", waiting: { container, reason: "ErrImagePull" } });
    story.containerEnded("a", 0, 5);
    story.containerEnded("a", 137, 0, { container: "helper", reason: "ContainerStatusUnknown" });
    story.podTerminated("a", "Failed");
    expect(outcomeOf(story.pod("a"))).toBe(outcome);
  });
});

function lost(story: Story, exitCode: number, reason: string): void {
  story.podStarted("a");
  story.containerEnded("a", exitCode, 5, { reason });
  story.podTerminated("a", "Failed");
}

function neverRan(story: Story): void {
  story.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
  story.podTerminated("a", "Failed");
}

function shutDown(story: Story, exitCode: number): void {
  story.podStarted("a");
  story.containerEnded("a", exitCode, 5);
  story.podTerminated("a", "Failed", { reason: "Terminated" });
}

function calledFailed(story: Story): void {
  story.podStarted("a");
  story.podTerminated("a", "Failed", { stillRunning: ["work"] });
}
