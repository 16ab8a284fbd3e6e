import { describe, expect, it } from "vitest";
import { causeClauses, collateralClauses, costClauses } from "../../../src/explain/headline/cause-clauses.ts";
import { derivedOf } from "../../support/story/derived-of-story.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";

const IGNORE = { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] };

function preempted(story: Story, pod: string): void {
  story.podCreated(pod);
  story.podTracked(pod);
  story.podStarted(pod);
  story.after(5);
  story.podDisrupted(pod, "PreemptionByScheduler");
  story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 30 });
  story.containerEnded(pod, 143, 5);
  const conditions = [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }];
  story.podTerminated(pod, "Failed", { tracked: true, conditions });
}

function succeeds(story: Story): Story {
  story.podSucceeds("last", 5, { tracked: true });
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story;
}

describe("the clauses of a cost", () => {
  it("name the Ignore rule for which an attempt is not counted, also in few words", () => {
    const story = tracked({ podFailurePolicy: IGNORE });
    preempted(story, "a");
    expect(costClauses(derivedOf(succeeds(story)))).toEqual([
      {
        full: "1 attempt failed before: preempted by a Pod of higher priority on node-a",
        brief: "1 attempt failed before: preempted by a Pod of higher priority on node-a",
      },
      {
        full: "not counted: Ignore rule at index 0 of podFailurePolicy",
        brief: "not counted (Ignore rule at index 0)",
        follows: true,
      },
    ]);
  });

  it("say how many of several attempts are not counted", () => {
    const story = tracked({ podFailurePolicy: IGNORE });
    preempted(story, "a");
    story.podFails("b", 7, 1, { tracked: true });
    const [cause, counted] = costClauses(derivedOf(succeeds(story)));
    expect(cause?.brief).toBe("2 attempts failed before: preempted once, then exit code 7 once");
    expect(counted?.full).toBe("1 of 2 not counted: Ignore rule at index 0 of podFailurePolicy");
    expect(counted?.brief).toBe("1 not counted (Ignore rule at index 0)");
  });

  it("do not call an attempt failed whose outcome is unknown", () => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.containerEnded("a", 255, 1, { reason: "Unknown" });
    story.podTerminated("a", "Failed", { tracked: true });
    story.podFails("b", 7, 1, { tracked: true });
    expect(costClauses(derivedOf(succeeds(story)))[0]?.brief).toBe(
      "2 attempts: outcome unknown once, then exit code 7 once",
    );
  });

  it("are none where nothing failed", () => {
    expect(costClauses(derivedOf(succeeds(tracked())))).toEqual([]);
  });
});

describe("the clauses of a failure", () => {
  it("are the cause, and whether Kubernetes counts what was not the program's fault", () => {
    const story = tracked({ backoffLimit: 0 });
    preempted(story, "a");
    story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
    expect(causeClauses(derivedOf(story)).map(({ full }) => full)).toEqual([
      "preempted by a Pod of higher priority on node-a",
      "counted against backoffLimit",
    ]);
  });

  it("say since when a Pod waited that never ran, also in few words", () => {
    const story = tracked({ activeDeadlineSeconds: 60 });
    story.podCreated("a");
    story.podTracked("a");
    const details = { about: "image", problem: "notPresent" } as const;
    story.podObserved("a", { phase: "Pending", waiting: { container: "work", reason: "ErrImageNeverPull", details } });
    story.after(60);
    story.podDeletionRequested("a", "Pending", { tracked: true });
    story.podDeleted("a");
    story.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
    const brief = "ErrImageNeverPull: the image of container work cannot be pulled since 2026-01-01T00:00:00Z";
    expect(causeClauses(derivedOf(story))[0]).toMatchObject({
      full: expect.stringMatching(/\(not on the node, pull policy Never\) since 2026-01-01T00:00:00Z$/) as unknown,
      short: expect.stringMatching(/\(not on the node, pull policy Never\)$/) as unknown,
      brief,
    });
  });

  it("are none without a cause", () => {
    expect(causeClauses(derivedOf(tracked()))).toEqual([]);
  });
});

function failing(reason: string): Story {
  const story = tracked({ parallelism: 2, completions: 2 });
  story.podCreated("b");
  story.podTracked("b");
  story.podStarted("b");
  story.podFails("a", 42, 5, { tracked: true });
  story.podDeletionRequested("b", "Running", { tracked: true, graceSeconds: 30 });
  story.jobFinished("Failed", reason, { failed: 2 });
  story.containerEnded("b", 143, 5);
  story.podTerminated("b", "Failed", { tracked: true });
  return story;
}

describe("the collateral of a failure", () => {
  it.each([
    ["PodFailurePolicy", [{ full: "1 more Pod stopped with it" }]],
    ["DeadlineExceeded", [{ full: "1 more Pod stopped with it" }]],
  ])("%s: %o", (reason, clauses) => {
    expect(collateralClauses(derivedOf(failing(reason)))).toEqual(clauses);
  });

  it("is none where a deadline ended Pods that had no failure before", () => {
    const story = tracked();
    story.podCreated("b");
    story.podTracked("b");
    story.podStarted("b");
    story.podDeletionRequested("b", "Running", { tracked: true, graceSeconds: 30 });
    story.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
    story.containerEnded("b", 143, 5);
    story.podTerminated("b", "Failed", { tracked: true });
    expect(collateralClauses(derivedOf(story))).toEqual([]);
  });
});

function unscheduledAndRunning(): Story {
  const story = tracked({ completions: 3, parallelism: 3, activeDeadlineSeconds: 10 });
  const causes = [{ cause: "insufficient", resource: "cpu", nodes: 2 }] as const;
  const details = { about: "scheduling", nodes: 2, causes } as const;
  story.podsRunning("a", "b");
  story.podCreated("c");
  story.podTracked("c");
  story.podObserved("c", { phase: "Pending", ready: false, unscheduled: { reason: "Unschedulable", details } });
  story.after(10);
  for (const pod of ["a", "b", "c"]) {
    story.podDeletionRequested(pod, pod === "c" ? "Pending" : "Running", { tracked: true, graceSeconds: 5 });
  }
  const target = { type: "FailureTarget", status: "True", reason: "DeadlineExceeded", lastTransitionAt: story.now };
  story.jobReported({ conditions: [target] });
  for (const pod of ["a", "b", "c"]) {
    if (pod !== "c") story.containerEnded(pod, 143, 10);
    story.podTerminated(pod, "Failed", { tracked: true });
  }
  story.jobFinished("Failed", "DeadlineExceeded", { failed: 3 });
  return story;
}

describe("the clause of a cause beside Pods that ran until the deadline", () => {
  it("counts both, in each form", () => {
    const [clause, ...others] = causeClauses(derivedOf(unscheduledAndRunning()));
    expect(clause?.full).toBe(
      "1 of 3 Pods never scheduled (Unschedulable: no node fits (Insufficient cpu on 2 of 2 nodes)), 2 ran until then",
    );
    expect(clause?.short).toBe("1 of 3 Pods never scheduled (Insufficient cpu), 2 ran until then");
    expect(clause?.brief).toBe("1 of 3 Pods never scheduled (Insufficient cpu), 2 ran");
    expect(others).toEqual([]);
    expect(collateralClauses(derivedOf(unscheduledAndRunning()))).toEqual([]);
  });
});
