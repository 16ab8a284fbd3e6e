import { describe, expect, it } from "vitest";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { answerOfStory, statusOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

const current: Partial<JobSpec> = { podReplacementPolicy: "TerminatingOrFailed" };

function storyOf(spec: Partial<JobSpec> = {}): Story {
  const story = new Story();
  story.jobCreated({ ...current, ...spec });
  return story;
}
function untracked(): Story {
  const story = new Story();
  story.jobCreated({ completions: 2, parallelism: 2 });
  story.jobUntracked();
  return story;
}

const conditionsOf = (story: Story, now = story.now) =>
  (statusOfStory(story, now).status.conditions ?? []).map(
    ({ type, status, reason }) => `${type}=${status} ${reason ?? ""}`,
  );

describe("the status of a tracked Job", () => {
  it("adds listed and finished Pods to the counter, each once", () => {
    const story = storyOf({ completions: 9, parallelism: 9 });
    for (const pod of ["a", "b", "c"]) story.podSucceeds(pod, 1, { tracked: true });
    const uid = decodePodUid("render-a");
    story.jobReported({ succeeded: 2, uncounted: { succeeded: uid === undefined ? [] : [uid], failed: [] } });
    expect(statusOfStory(story).status.succeeded).toBe(3);
    story.podSucceeds("d", 1, { tracked: true });
    expect(statusOfStory(story).status.succeeded).toBe(4);
  });

  it("counts Pods that were not observed by the Job's counter", () => {
    const story = storyOf({ completions: 9 });
    story.jobReported({ succeeded: 5, failed: 2 });
    story.podSucceeds("late", 1, { tracked: true });
    expect(statusOfStory(story).status).toMatchObject({ succeeded: 6, failed: 2 });
  });

  it("counts a listed Pod in its class, whatever its later phase", () => {
    const story = storyOf();
    story.podSucceeds("a", 1, { tracked: true });
    const uid = decodePodUid("render-a");
    story.jobReported({ uncounted: { succeeded: [], failed: uid === undefined ? [] : [uid] } });
    const { status } = statusOfStory(story);
    expect(status.failed).toBe(1);
    expect(status.succeeded).toBeUndefined();
  });

  it("excludes a success whose finalizer was removed before it was counted", () => {
    const story = storyOf();
    story.podCreated("a");
    story.podTracked("a");
    story.podUntracked("a");
    story.podTerminated("a", "Succeeded");
    story.jobReported({});
    const answer = answerOfStory(story);
    expect(answer.status.succeeded).toBeUndefined();
    expect(answer.pods.succeeded).toBe(1);
  });

  it("has the counts and conditions of a reported end", () => {
    const story = storyOf();
    story.podSucceeds("a", 1, { tracked: true });
    story.podSucceeds("b", 1, { tracked: true });
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    expect(statusOfStory(story).status).toMatchObject({ succeeded: 1 });
  });

  it("counts a Pod that succeeded after its deletion as a later report does", () => {
    const story = storyOf();
    story.podCreated("a");
    story.podTracked("a");
    story.podDeletionRequested("a", "Running", { tracked: true });
    story.podTerminated("a", "Succeeded", { tracked: true });
    story.podUntracked("a");
    expect(statusOfStory(story).status).toMatchObject({ failed: 1 });
    story.jobReported({ succeeded: 1, uncounted: { succeeded: [], failed: [] } });
    expect(statusOfStory(story).status).toMatchObject({ succeeded: 1 });
    expect(statusOfStory(story).status.failed).toBeUndefined();
  });
});

/** A Pod is being deleted, and its finalizer is on. */
function going(story: Story): void {
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.podDeletionRequested("a", "Running", { tracked: true });
}

describe("the status of a Job that fails, in waiting mode", () => {
  const lists = { succeeded: [], failed: [] };

  it.each<readonly [string, (story: Story) => void, number]>([
    [
      "counts a Pod whose deletion is later than the report",
      (s) => (s.jobReported({ failed: 2, uncounted: lists }), going(s)),
      3,
    ],
    ["counts it once if the report covers it", (s) => (going(s), s.jobReported({ failed: 3, uncounted: lists })), 3],
    ["counts it in addition to observed failures", (s) => (s.podFails("b", 1, 1, { tracked: true }), going(s)), 2],
  ])("%s", (_, tell, failed) => {
    const story = storyOf({ podReplacementPolicy: "Failed", backoffLimit: 0 });
    tell(story);
    expect(statusOfStory(story).status.failed).toBe(failed);
  });
});

describe("the conditions of a live tracked Job", () => {
  it.each<readonly [string, Partial<JobSpec>, (story: Story) => void, readonly string[]]>([
    ["are none while it runs", {}, (s) => s.podCreated("a"), []],
    [
      "are Complete at its completions",
      {},
      (s) => s.podSucceeds("a", 1, { tracked: true }),
      ["SuccessCriteriaMet=True CompletionsReached", "Complete=True CompletionsReached"],
    ],
    [
      "are interim while a Pod is active",
      { parallelism: 2 },
      (s) => (s.podSucceeds("a", 1, { tracked: true }), s.podCreated("b")),
      ["SuccessCriteriaMet=True CompletionsReached"],
    ],
    [
      "are interim while a Pod is terminating",
      { parallelism: 2 },
      (s) => (s.podSucceeds("a", 1, { tracked: true }), s.podCreated("b"), s.podDeletionRequested("b", "Running")),
      ["SuccessCriteriaMet=True CompletionsReached"],
    ],
    [
      "are Failed above its back-off limit",
      { backoffLimit: 1 },
      (s) => (s.podFails("a", 1, 1, { tracked: true }), s.podFails("b", 1, 1, { tracked: true })),
      ["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"],
    ],
    ["are none at its back-off limit", { backoffLimit: 1 }, (s) => s.podFails("a", 1, 1, { tracked: true }), []],
    [
      "are FailureTarget at as many restarts as its limit",
      { backoffLimit: 2, restartPolicy: "OnFailure" },
      (s) => (s.podCreated("a"), s.podObserved("a", { restarts: 2 })),
      ["FailureTarget=True BackoffLimitExceeded"],
    ],
    [
      "are Failed if both failure and success apply",
      { backoffLimit: 0 },
      (s) => (s.podFails("a", 1, 1, { tracked: true }), s.podSucceeds("b", 1, { tracked: true })),
      ["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"],
    ],
    [
      "keep a written success",
      { backoffLimit: 0 },
      (s) => {
        s.podFails("a", 1, 1, { tracked: true });
        s.jobReported({ conditions: [{ type: "SuccessCriteriaMet", status: "True", reason: "SuccessPolicy" }] });
      },
      ["SuccessCriteriaMet=True SuccessPolicy", "Complete=True SuccessPolicy"],
    ],
    [
      "ignore an interim condition with status False",
      {},
      (s) => s.jobReported({ conditions: [{ type: "FailureTarget", status: "False", reason: "ByHand" }] }),
      ["FailureTarget=False ByHand"],
    ],
    ["are Suspended after a suspension", { suspend: true }, (s) => s.jobReported({}), ["Suspended=True JobSuspended"]],
    ["do not change suspension while it is being deleted", { suspend: true }, (s) => s.jobDeletionRequested(), []],
    [
      "do not change after it was removed",
      { backoffLimit: 0 },
      (s) => (s.podFails("a", 1, 1, { tracked: true }), s.jobDeleted()),
      [],
    ],
    [
      "are Complete for a work queue with a success and no active Pod",
      { parallelism: 2 },
      (s) => (s.podSucceeds("a", 1, { tracked: true }), s.podFails("b", 1, 1, { tracked: true })),
      ["SuccessCriteriaMet=True CompletionsReached", "Complete=True CompletionsReached"],
    ],
  ])("%s", (_, spec, tell, expected) => {
    const story = storyOf(spec);
    story.podCreated("witness");
    story.podTracked("witness");
    story.podUntracked("witness");
    story.podDeleted("witness");
    tell(story);
    expect(conditionsOf(story)).toEqual(expected);
  });

  it.each([
    [9, []],
    [10, ["FailureTarget=True DeadlineExceeded", "Failed=True DeadlineExceeded"]],
  ])("at %i s of a deadline of 10 s are %j", (seconds, expected) => {
    const story = storyOf({ activeDeadlineSeconds: 10 });
    story.jobReported({ startTime: story.second(0) });
    expect(conditionsOf(story, story.second(seconds))).toEqual(expected);
  });

  it("have no interim step on a server before 1.31", () => {
    const story = storyOf();
    story.podSucceeds("a", 1, { tracked: true });
    const { conditions = [] } = statusOfStory(story, story.now, "v1.30.4").status;
    expect(conditions.map(({ type }) => type)).toEqual(["Complete"]);
  });
});

describe("the status of an untracked Job", () => {
  it("has no failure by the back-off limit if its failed Pods were deleted", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 1 });
    story.jobUntracked();
    story.podFails("a", 1, 5);
    story.podDeleted("a");
    story.podFails("b", 1, 5);
    expect(answerOfStory(story).verdict).toMatchObject({ state: "Running" });
    expect(statusOfStory(story).status.failed).toBe(2);
    story.podFails("c", 1, 5);
    expect(answerOfStory(story).verdict).toMatchObject({
      state: "Failed",
      reason: "BackoffLimitExceeded",
      final: false,
    });
  });

  it("does not decrease with its counters", () => {
    const story = untracked();
    story.podSucceeds("a", 1);
    story.jobReported({ startTime: story.now, succeeded: 1 });
    story.podDeleted("a");
    story.jobReported({ startTime: story.now });
    expect(statusOfStory(story).status.succeeded).toBe(1);
  });

  it("counts every observed success, also above its completions", () => {
    const story = untracked();
    for (const pod of ["a", "b", "c"]) story.podSucceeds(pod, 1);
    const answer = answerOfStory(story);
    expect(answer.status.succeeded).toBe(3);
    expect(answer.verdict).toMatchObject({ state: "Complete", final: true, basis: "observed" });
  });

  it("counts a Pod whose phase changed by its first terminal phase", () => {
    const story = untracked();
    story.podSucceeds("a", 1);
    story.podTerminated("a", "Failed");
    story.jobReported({ startTime: story.now, failed: 1 });
    expect(statusOfStory(story).status).toMatchObject({ succeeded: 1 });
    expect(statusOfStory(story).status.failed).toBeUndefined();
  });
});

describe("the status of a Job with another manager", () => {
  it.each([[{ managedBy: "kueue.x-k8s.io/multikueue" }], [{ completionMode: "Elsewhere" }]])(
    "is the reported one, with %j",
    (spec) => {
      const story = storyOf({ ...spec, backoffLimit: 0 });
      story.podFails("a", 1, 1, { tracked: true });
      story.jobReported({ active: 7, succeeded: 3 });
      const answer = answerOfStory(story);
      expect(answer.status).toEqual({ active: 7, succeeded: 3 });
      expect(answer.verdict).toMatchObject({ state: "Running", final: false });
      expect(answer.pods.failed).toBe(1);
    },
  );
});

describe("the status of a Job with unknown tracking", () => {
  it("has the reported counters", () => {
    const story = new Story();
    story.jobCreated();
    story.podSucceeds("a", 1);
    expect(statusOfStory(story).status.succeeded).toBeUndefined();
    story.jobReported({ succeeded: 4, active: 9 });
    expect(statusOfStory(story).status).toEqual({ succeeded: 4, ready: 0 });
    expect(answerOfStory(story).verdict.final).toBe(false);
  });
});
