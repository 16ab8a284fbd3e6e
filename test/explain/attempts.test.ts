import { describe, expect, it } from "vitest";
import { Story } from "../support/story/story.ts";
import { answerOf } from "../support/story/answer-of-story.ts";

function job(): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 6 });
  story.jobTracked();
  return story;
}

describe("an attempt", () => {
  it("contains how its Pod ended, also after the Pod was removed", () => {
    const story = job();
    story.podFails("a", 3, 5, { tracked: true });
    story.podUntracked("a");
    story.after(60);
    story.podDeletionRequested("a", "Failed");
    story.podDeleted("a");
    expect(answerOf(story).attempts).toMatchObject([
      {
        name: "render-a",
        node: "node-a",
        outcome: "Failed",
        countedAs: "failed",
        category: "application",
        exitCode: 3,
        reason: "Error",
        restarts: 0,
        startedAt: "2026-01-01T00:00:00Z",
        finishedAt: "2026-01-01T00:00:05Z",
        deletedAt: "2026-01-01T00:01:05Z",
        deletedBy: { actor: "unknown" },
      },
    ]);
  });

  it.each<[string, (story: Story) => void, number]>([
    [
      "the container that failed, not of one that succeeded later",
      (story) => {
        story.containerEnded("a", 4, 5, { container: "work" });
        story.after(5);
        story.containerEnded("a", 0, 10, { container: "log" });
      },
      4,
    ],
    [
      "the container that failed first",
      (story) => {
        story.containerEnded("a", 7, 5, { container: "log" });
        story.after(5);
        story.containerEnded("a", 137, 10, { container: "work" });
      },
      7,
    ],
    [
      "the last run of a container",
      (story) => {
        story.containerEnded("a", 2, 5);
        story.after(5);
        story.containerEnded("a", 9, 4, { restartCount: 1 });
      },
      9,
    ],
    [
      "an init container if no other container ran",
      (story) => story.containerEnded("a", 5, 5, { container: "fetch", init: true }),
      5,
    ],
    [
      "a real end rather than the kubelet's placeholder",
      (story) => {
        story.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
        story.containerEnded("a", 6, 5);
      },
      6,
    ],
  ])("has the exit code of %s", (_, tell, exitCode) => {
    const story = job();
    story.podCreated("a", { containers: ["work", "log"] });
    story.podStarted("a");
    story.after(5);
    tell(story);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(answerOf(story).attempts?.[0]?.exitCode).toBe(exitCode);
  });

  it("never has a sidecar's exit code", () => {
    const story = job();
    story.podCreated("a", { sidecars: ["proxy"] });
    story.podStarted("a");
    story.after(5);
    story.containerEnded("a", 1, 5, { container: "proxy", init: true });
    story.after(1);
    story.containerEnded("a", 2, 6);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(answerOf(story).attempts?.[0]?.exitCode).toBe(2);
  });

  it("has no exit code if no container end was observed", () => {
    const story = job();
    story.podCreated("a");
    story.podStarted("a");
    story.podTerminated("a", "Failed", { tracked: true, stillRunning: ["work"] });
    expect(answerOf(story).attempts?.[0]).not.toHaveProperty("exitCode");
    expect(answerOf(story).attempts?.[0]?.category).toBe("node-loss");
  });

  it("counts restarts in place, and keeps every run", () => {
    const story = job();
    story.podCreated("a");
    story.podStarted("a");
    story.after(5);
    story.containerEnded("a", 137, 5);
    story.podObserved("a", { restarts: 1 });
    story.after(5);
    story.containerEnded("a", 0, 4, { restartCount: 1 });
    story.podTerminated("a", "Succeeded", { tracked: true });
    const [attempt] = answerOf(story).attempts ?? [];
    expect(attempt?.restarts).toBe(1);
    expect(attempt?.containers.map(({ exitCode, restartCount }) => [restartCount, exitCode])).toEqual([
      [0, 137],
      [1, 0],
    ]);
  });
});

describe("attempts", () => {
  it("are in order of creation, then uid, in any order of the facts", () => {
    const story = job();
    for (const pod of ["b", "a"]) story.podCreated(pod);
    story.after(1);
    story.podCreated("0");
    const names = (): readonly string[] => (answerOf(story).attempts ?? []).map(({ name }) => name);
    expect(names()).toEqual(["render-a", "render-b", "render-0"]);
    story.facts.reverse();
    expect(names()).toEqual(["render-a", "render-b", "render-0"]);
  });
});
