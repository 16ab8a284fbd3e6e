import { describe, expect, it } from "vitest";
import type { Attempt } from "../../src/explain/answer-document.ts";
import { categoryOfAttempt, presentAttempt } from "../../src/explain/present-attempt.ts";
import { recordRules } from "../../src/explain/derived-job.ts";
import { tracked } from "../support/story/finding-stories.ts";
import type { Story } from "../support/story/story.ts";

function contextOf(story: Story): Parameters<typeof presentAttempt>[1] {
  const { record, clusterContext } = story;
  return { job: record.job, clusterContext, rules: recordRules(record, clusterContext) };
}

function attemptOf(tell: (story: Story) => void): Attempt {
  const story = tracked();
  tell(story);
  return presentAttempt(story.pod("a"), contextOf(story));
}

const noImage = (story: Story): void => {
  story.podCreated("a", { index: 2 });
  story.podTracked("a");
  story.podObserved("a", { phase: "Pending", ready: false, waiting: { container: "work", reason: "ErrImagePull" } });
};

describe("an attempt", () => {
  it("has the outcome, the end and the times of its Pod", () => {
    const attempt = attemptOf((s) => (s.podFails("a", 3, 5, { tracked: true }), s.podUntracked("a")));
    expect(attempt).toMatchObject({
      uid: "render-a",
      name: "render-a",
      node: "node-a",
      outcome: "Failed",
      countedAs: "failed",
      category: "application",
      cause: "container work exited with code 3",
      exitCode: 3,
      reason: "Error",
      restarts: 0,
      containers: [{ name: "work", exitCode: 3, reason: "Error", restartCount: 0 }],
      createdAt: "2026-01-01T00:00:00Z",
      startedAt: "2026-01-01T00:00:00Z",
      finishedAt: "2026-01-01T00:00:05Z",
    });
    expect(attempt).not.toHaveProperty("deletedAt");
  });

  it("has the reason for which it waits, while it does", () => {
    expect(attemptOf(noImage)).toMatchObject({ index: 2, outcome: "Active", reason: "ErrImagePull", containers: [] });
  });

  it("has no exit code where a placeholder stands for a container that never ran", () => {
    const attempt = attemptOf((s) => {
      noImage(s);
      s.podDeletionRequested("a", "Pending", { tracked: true });
      s.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
      s.podTerminated("a", "Failed", { tracked: true });
    });
    expect(attempt).not.toHaveProperty("exitCode");
    expect(attempt.category).toBe("image");
  });

  it("has the runs of its containers in the order of the spec, then by restart", () => {
    const attempt = attemptOf((s) => {
      s.podCreated("a", { containers: ["work", "helper"] });
      s.podStarted("a");
      s.containerEnded("a", 2, 1, { container: "helper" });
      s.containerEnded("a", 1, 1, { restartCount: 1 });
      s.containerEnded("a", 1, 1);
    });
    expect(attempt.containers.map(({ name, restartCount }) => `${name} ${restartCount}`)).toEqual([
      "work 0",
      "work 1",
      "helper 0",
    ]);
  });

  it("says when its Pod was removed, and by whom", () => {
    const attempt = attemptOf((s) => {
      s.podSucceeds("a", 5, { tracked: true });
      s.after(60);
      s.requested({ pod: "a" }, "ada");
      s.podDeletionRequested("a", "Succeeded");
      s.podDeleted("a");
    });
    expect(attempt).toMatchObject({ deletedAt: "2026-01-01T00:01:05Z", deletedBy: { actor: "ada" } });
  });
});

describe("the category of an attempt", () => {
  it("is that of what it waited for, whatever ended it", () => {
    const story = tracked();
    noImage(story);
    story.podDeletionRequested("a", "Pending", { tracked: true });
    story.podDeleted("a");
    expect(categoryOfAttempt(story.pod("a"), contextOf(story))).toBe("image");
  });
});
