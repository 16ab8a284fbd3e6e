import { describe, expect, it } from "vitest";
import { RunningTally } from "../../../src/job/accounting/running-tally.ts";
import { EMPTY_TALLY, type PodTally } from "../../../src/job/accounting/pod-tally.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { answerOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";

const indexed: Partial<JobSpec> = { completionMode: "Indexed", completions: 4, parallelism: 4 };

function tallyOf(story: Story): PodTally {
  const { record } = story;
  const rules = recordRules(record, {});
  const running = new RunningTally();
  for (const pod of record.pods.values()) running.add(pod, rules);
  return running.tally();
}

function tracked(spec: Partial<JobSpec> = {}): Story {
  const story = new Story();
  story.jobCreated({ completions: 4, parallelism: 4, ...spec });
  story.jobTracked();
  return story;
}

function untracked(): Story {
  const story = new Story();
  story.jobCreated({ completions: 4, parallelism: 4 });
  story.jobUntracked();
  return story;
}

describe("a running tally", () => {
  it("is the empty tally without Pods", () => {
    expect(tallyOf(tracked())).toEqual(EMPTY_TALLY);
  });

  it("counts a Pod that succeeded once, with the instant of its end", () => {
    const story = tracked();
    story.podSucceeds("a", 5, { tracked: true });
    expect(tallyOf(story)).toMatchObject({
      outcomes: { Succeeded: 1 },
      ledgers: { succeeded: 1, open: 0 },
      tracked: 1,
      recent: [{ ledger: "succeeded", tracked: true }],
      successes: [story.now],
    });
  });

  it("counts Pods that are active, ready and terminating, and restarts of live Pods", () => {
    const story = tracked();
    story.podCreated("a");
    story.podObserved("a", { ready: true, restarts: 2 });
    story.podCreated("b");
    story.podObserved("b", { ready: false, restarts: 1 });
    story.podDeletionRequested("b", "Running");
    expect(tallyOf(story)).toMatchObject({ active: 1, ready: 1, terminating: 1, restarts: 3 });
  });

  it("counts a Pod of another namespace only as evidence of tracking", () => {
    const story = tracked();
    story.podSucceeds("a", 5, { namespace: "elsewhere", tracked: true });
    expect(tallyOf(story)).toEqual({ ...EMPTY_TALLY, tracked: 1 });
  });

  it("counts a Pod as `before` if the controller accounted for it before its end was observed", () => {
    const story = tracked(indexed);
    story.jobReported({ succeeded: 1, completedIndexes: "2", uncounted: { succeeded: [], failed: [] } });
    story.podCreated("a", { index: 2 });
    story.podTerminated("a", "Succeeded");
    story.podUntracked("a");
    expect(tallyOf(story)).toMatchObject({
      before: { succeeded: 1, failed: 0 },
      completedBefore: [[2, 2, 1]],
      late: 1,
      ledgers: { succeeded: 0 },
    });
  });

  it("counts a Pod that was released before it ended as void", () => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podUntracked("a");
    story.podTerminated("a", "Succeeded");
    expect(tallyOf(story).ledgers).toMatchObject({ void: 1, succeeded: 0 });
  });

  it("does not count a Pod as failed before that was most likely released, so that it hides no missing failure", () => {
    const story = tracked();
    story.jobReported({ failed: 1, uncounted: { succeeded: [], failed: [] } });
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(5);
    story.inOneEvent(() => {
      story.podUntracked("a");
      story.podDeletionRequested("a", "Failed");
      story.containerEnded("a", 143, 5);
      story.podTerminated("a", "Failed");
    });
    expect(tallyOf(story)).toMatchObject({ before: { failed: 0 }, ledgers: { void: 1 }, late: 1 });
    const { level, gaps } = answerOf(story, { now: story.second(60) }).completeness;
    expect(level).toBe("gaps");
    expect(gaps.map(({ reason }) => reason)).toContain("Kubernetes counted 1 Pod whose end was not observed.");
  });

  it("contains the indexes of successes", () => {
    const story = tracked(indexed);
    story.podSucceeds("a", 5, { index: 1, tracked: true });
    story.podSucceeds("b", 5, { index: 2, tracked: true });
    expect(tallyOf(story).completed).toEqual([[1, 2, 1]]);
  });

  it("contains the indexes of active Pods and of failed Pods with a finalizer under a limit per index", () => {
    const story = tracked({ ...indexed, backoffLimitPerIndex: 1 });
    story.podCreated("a", { index: 0 });
    story.podTracked("a");
    story.podCreated("b", { index: 1 });
    story.podTracked("b");
    story.podTerminated("b", "Failed", { tracked: true });
    expect(tallyOf(story)).toMatchObject({ activeIndexes: [[0, 0, 1]], failedWithFinalizer: [[1, 1, 1]] });
    story.podUntracked("b");
    expect(tallyOf(story)).toMatchObject({ failedWithFinalizer: [], finalizerOff: { failed: 1 } });
  });

  it("counts a Pod that is being deleted as failed only if the Job fails, with podReplacementPolicy Failed", () => {
    const story = tracked({ podReplacementPolicy: "Failed" });
    story.podCreated("a");
    story.podTracked("a");
    story.podDeletionRequested("a", "Running", { tracked: true });
    const { uid } = story.pod("a");
    expect(tallyOf(story)).toMatchObject({
      uponFailure: 1,
      ledgers: { open: 1, failed: 0 },
      recentUponFailure: [{ uid }],
    });
  });

  it("counts a Pod whose terminal phase changed as ambiguous and by its first phase", () => {
    const story = tracked();
    story.podSucceeds("a", 5, { tracked: true });
    story.podTerminated("a", "Failed", { tracked: true });
    expect(tallyOf(story)).toMatchObject({ ambiguous: 1, flipped: { succeeded: 1, failed: 0 } });
  });

  it("contains the message of a matching FailJob rule", () => {
    const onExitCodes = { operator: "In", values: [42] };
    const story = tracked({ podFailurePolicy: { rules: [{ action: "FailJob", onExitCodes }] } });
    story.podFails("a", 42, 5, { tracked: true });
    const message = "Container work for pod default/render-a failed with exit code 42 matching FailJob rule at index 0";
    expect(tallyOf(story).failJob).toMatchObject([{ message }]);
  });
});

describe("a running tally of an untracked Job", () => {
  it("counts failed Pods that exist separately", () => {
    const story = untracked();
    story.podFails("a", 1, 5);
    story.podFails("b", 1, 5);
    story.podDeleted("b");
    expect(tallyOf(story)).toMatchObject({ ledgers: { failed: 2 }, failedExisting: 1 });
  });

  it("counts successes after a deletion request separately", () => {
    const story = untracked();
    story.podCreated("a");
    story.podStarted("a");
    story.podDeletionRequested("a", "Running");
    story.podTerminated("a", "Succeeded");
    story.podSucceeds("b", 5);
    expect(tallyOf(story)).toMatchObject({ ledgers: { succeeded: 2 }, succeededAfterDeletion: 1 });
  });
});
