import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { answerOfStory, statusOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

const perIndex: Partial<JobSpec> = {
  completionMode: "Indexed",
  completions: 6,
  parallelism: 6,
  backoffLimit: 2_147_483_647,
  backoffLimitPerIndex: 1,
  podReplacementPolicy: "TerminatingOrFailed",
};
const lists = { succeeded: [], failed: [] };

function fails(story: Story, pod: string, index: number, indexFailureCount = 0): void {
  story.podCreated(pod, { index, indexFailureCount });
  story.podTracked(pod);
  story.podTerminated(pod, "Failed", { tracked: true });
}
function runs(story: Story, pod: string, index: number, indexFailureCount = 1): void {
  story.podCreated(pod, { index, indexFailureCount });
  story.podTracked(pod);
  story.podStarted(pod);
}

describe("a failed Pod of an index with its own limit", () => {
  it.each<readonly [string, Partial<JobSpec>, (story: Story) => void, number]>([
    // TestTrackJobStatusAndRemoveFinalizers: indexed job with a failed pod with delayed finalizer removal; the pod is
    // not counted
    ["is held back until its replacement exists", {}, (s) => fails(s, "a", 1), 0],
    // TestSyncJobWithJobBackoffLimitPerIndex: single failed pod, not counted as the replacement pod creation is delayed
    ["is held back in a smaller Job", { completions: 2, parallelism: 2 }, (s) => fails(s, "a", 0), 0],
    ["counts after the replacement is active", {}, (s) => (fails(s, "a", 1), runs(s, "b", 1)), 1],
    ["counts after its finalizer was removed", {}, (s) => (fails(s, "a", 1), s.podUntracked("a")), 1],
    [
      "counts when its index succeeded",
      {},
      (s) => (fails(s, "a", 1), s.podSucceeds("b", 1, { index: 1, tracked: true })),
      1,
    ],
    ["counts when its index has failed", {}, (s) => fails(s, "a", 1, 1), 1],
    ["does not affect other Pods of its index", {}, (s) => (fails(s, "a", 1), fails(s, "b", 1)), 1],
    ["is held back once for each index", {}, (s) => (fails(s, "a", 1), fails(s, "b", 2)), 0],
    [
      "is held back if the report is older than its failure",
      {},
      (s) => (s.jobReported({ failed: 2, uncounted: lists }), fails(s, "a", 1)),
      2,
    ],
    [
      "counts if it is listed",
      {},
      (s) => {
        fails(s, "a", 1);
        s.jobReported({ uncounted: { succeeded: [], failed: [decodePodUid("render-a") ?? []].flat() } });
      },
      1,
    ],
    ["counts when the Job will fail", { backoffLimit: 0 }, (s) => fails(s, "a", 1), 1],
    ["counts when the Job is being deleted", {}, (s) => (fails(s, "a", 1), s.jobDeletionRequested()), 1],
    ["counts at once if there is no such limit", { backoffLimit: 6 }, (s) => fails(s, "a", 1), 1],
  ])("%s", (title, spec, tell, failed) => {
    const { backoffLimitPerIndex: _, ...unlimited } = perIndex;
    const story = new Story();
    story.jobCreated({ ...(title.includes("no such limit") ? unlimited : perIndex), ...spec });
    tell(story);
    expect(statusOfStory(story).status.failed ?? 0).toBe(failed);
  });

  it("is a failed Pod and counts towards the Job's limit while it is held back", () => {
    const story = new Story();
    story.jobCreated({ ...perIndex, backoffLimit: 1 });
    fails(story, "a", 1);
    expect(answerOfStory(story)).toMatchObject({ pods: { failed: 1 }, verdict: { state: "Running" } });
    expect(statusOfStory(story).status.failed).toBeUndefined();
    fails(story, "b", 2);
    expect(answerOfStory(story).verdict).toMatchObject({ reason: "BackoffLimitExceeded" });
    expect(statusOfStory(story).status.failed).toBe(2);
  });
});
