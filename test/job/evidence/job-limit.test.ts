import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { findingOf, kindsOf } from "../../support/story/answer-of-story.ts";
import { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

function failed(spec: Partial<JobSpec>, reason: string, tell: (story: Story) => void): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobTracked();
  story.jobReported({ active: 1, startTime: story.now });
  tell(story);
  const indexes = story.facts.flatMap((fact) => (fact.kind === "PodCreated" ? (fact.index ?? []) : []));
  const failedIndexes = indexes.toSorted((a, b) => a - b).join(",");
  story.jobFinished("Failed", reason, { startTime: story.second(0), ...(indexes.length > 0 && { failedIndexes }) });
  return story;
}

const twoFailures = (story: Story): void => {
  story.podFails("a", 1, 2, { tracked: true });
  story.after(10);
  story.podFails("b", 1, 2, { tracked: true });
};

function restartedInPlace(story: Story): void {
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(60);
  story.podObserved("a", { restarts: 3 });
}

/** The last two facts are of one observation. */
function seenAtOnce({ facts }: Story): void {
  const [first, second] = facts.splice(-2);
  if (first !== undefined && second !== undefined) {
    facts.push(first, { ...second, resourceVersion: first.resourceVersion });
  }
}

function deletedByHand(story: Story): void {
  for (const pod of ["a", "b"]) {
    story.podCreated(pod);
    story.podTracked(pod);
    story.podStarted(pod);
    story.after(1);
    story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 5 });
  }
  story.after(1);
}

function deletedLast(story: Story, disruption?: string): void {
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(1);
  if (disruption !== undefined) story.podDisrupted("a", disruption);
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 5 });
}

/** One of three Pods fails, and the other two are deleted because of that. */
function takenAway(): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 0, completions: 3, parallelism: 3 });
  story.jobTracked();
  story.podsRunning("b", "c");
  story.podFails("a", 1, 2, { tracked: true });
  for (const pod of ["b", "c"]) story.podDeletionRequested(pod, "Running", { tracked: true, graceSeconds: 5 });
  story.jobFinished("Failed", "BackoffLimitExceeded", { startTime: story.second(0), failed: 3 });
  return story;
}

function hidden(): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 2 });
  story.jobTracked();
  story.podFails("a", 1, 2, { tracked: true });
  story.jobFinished("Failed", "BackoffLimitExceeded", { startTime: story.second(0), failed: 3 });
  return story;
}

const FAIL_INDEX = [
  { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
  { action: "FailIndex", onExitCodes: { operator: "In", values: [42] } },
] as const;

function byIndex(backoffLimitPerIndex: number): Partial<JobSpec> {
  const podFailurePolicy = { rules: FAIL_INDEX };
  return { completionMode: "Indexed", completions: 5, parallelism: 5, backoffLimitPerIndex, podFailurePolicy };
}

function failsIndex(story: Story, pod: string, { exitCode, index }: { exitCode: number; index: number }): void {
  story.podCreated(pod, { index });
  story.podTracked(pod);
  story.podStarted(pod);
  story.containerEnded(pod, exitCode, 1);
  story.podTerminated(pod, "Failed", { tracked: true });
}

describe("the limit that ended a Job", () => {
  it.each<[string, Story, message: string | RegExp]>([
    [
      "is its deadline, though the back-off limit was not reached",
      failed({ activeDeadlineSeconds: 14, backoffLimit: 6 }, "DeadlineExceeded", twoFailures),
      "The Job's activeDeadlineSeconds (14 s) ended it, 14 s after its start; " +
        "backoffLimit (6) was not reached: 2 Pods had failed before.",
    ],
    [
      "is the back-off limit by Pods",
      failed({ backoffLimit: 1 }, "BackoffLimitExceeded", twoFailures),
      "The back-off limit ended the Job, by Pods: 2 Pods failed, backoffLimit (1).",
    ],
    [
      "is the back-off limit, and not the deadline that the Job has too",
      failed({ backoffLimit: 1, activeDeadlineSeconds: 600 }, "BackoffLimitExceeded", twoFailures),
      "The back-off limit ended the Job, by Pods: 2 Pods failed, backoffLimit (1); " +
        "the Job's activeDeadlineSeconds (600 s) had not run out, it stood at 14 s.",
    ],
    [
      "is the back-off limit by one Pod, though the verdict took two more away, which Kubernetes counts too",
      takenAway(),
      "The back-off limit ended the Job, by Pods: 1 Pod failed, backoffLimit (0); 2 more" +
        " Pods were deleted with the Job's end, counted as failed too.",
    ],
    [
      "is the back-off limit by Pods that a user deleted: they count as failed before they end",
      failed({ backoffLimit: 1 }, "BackoffLimitExceeded", deletedByHand),
      "The back-off limit ended the Job, by Pods: 2 Pods failed, backoffLimit (1).",
    ],
    [
      "is the back-off limit by a preempted Pod, in the second of the verdict",
      failed({ backoffLimit: 0 }, "BackoffLimitExceeded", (story) => deletedLast(story, "PreemptionByScheduler")),
      "The back-off limit ended the Job, by Pods: 1 Pod failed, backoffLimit (0).",
    ],
    [
      "is the back-off limit by a Pod deleted in the second of the verdict: no other failure exceeds it",
      failed({ backoffLimit: 0 }, "BackoffLimitExceeded", deletedLast),
      "The back-off limit ended the Job, by Pods: 1 Pod failed, backoffLimit (0).",
    ],
    [
      "is its deadline, and a Pod that was deleted for it is counted apart from failures before",
      failed({ activeDeadlineSeconds: 1 }, "DeadlineExceeded", deletedLast),
      "The Job's activeDeadlineSeconds (1 s) ended it, 1 s after its start; backoffLimit (6) was not reached: " +
        "no Pod had failed before; 1 Pod was deleted with the Job's end, counted as failed too.",
    ],
    [
      "is the back-off limit by the Job's own counter, where a gap hid the Pods",
      hidden(),
      "The back-off limit ended the Job, by Pods: 3 Pods failed, backoffLimit (2).",
    ],
    [
      "is the back-off limit by restarts in place",
      failed({ backoffLimit: 3, restartPolicy: "OnFailure" }, "BackoffLimitExceeded", (story) => {
        restartedInPlace(story);
        story.podDeletionRequested("a", "Running", { tracked: true });
      }),
      /^The back-off limit ended the Job, by restarts in place: 3 restarts, backoffLimit \(3\)/,
    ],
    [
      "is the back-off limit by restarts in place of a Pod that was deleted, and whose end was first seen with that",
      failed({ backoffLimit: 3, restartPolicy: "OnFailure" }, "BackoffLimitExceeded", (story) => {
        restartedInPlace(story);
        story.podDeletionRequested("a", "Failed", { tracked: true });
        story.podTerminated("a", "Failed", { tracked: true });
        seenAtOnce(story);
      }),
      /restarts in place: 3 restarts, backoffLimit \(3\)/,
    ],
    [
      "is the back-off limit, reached by Pods that ran into their own deadline",
      failed({ backoffLimit: 0, podActiveDeadlineSeconds: 3 }, "BackoffLimitExceeded", (story) =>
        story.podFails("a", 137, 3, { tracked: true, reason: "DeadlineExceeded" }),
      ),
      "The back-off limit ended the Job, by Pods: 1 Pod failed, backoffLimit (0); 1 Pod ran" +
        " into the Pod's own activeDeadlineSeconds (3 s), which is not the Job's: that has none.",
    ],
    [
      "is a rule of the pod failure policy",
      failed({ backoffLimit: 6 }, "PodFailurePolicy", twoFailures),
      /^The pod failure policy ended the Job: .*backoffLimit \(6\) did not apply\.$/,
    ],
    [
      "is maxFailedIndexes",
      failed({ maxFailedIndexes: 2 }, "MaxFailedIndexesExceeded", twoFailures),
      /^maxFailedIndexes \(2\) ended the Job/,
    ],
    [
      "is the limit per index",
      failed({ backoffLimitPerIndex: 1 }, "FailedIndexes", twoFailures),
      /^The limit per index failed the Job/,
    ],
    [
      "is the FailIndex rule that failed an index, though its limit was not reached",
      failed(byIndex(9), "FailedIndexes", (story) => failsIndex(story, "a", { exitCode: 42, index: 3 })),
      "The limit per index failed the Job: index 3 failed for good; " +
        "the FailIndex rule at index 1 of podFailurePolicy failed index 3; backoffLimitPerIndex is 9; " +
        "the others are done.",
    ],
    [
      "is a FailIndex rule and the limit per index",
      failed(byIndex(0), "FailedIndexes", (story) => {
        failsIndex(story, "a", { exitCode: 42, index: 3 });
        failsIndex(story, "b", { exitCode: 1, index: 0 });
      }),
      /: indexes 0,3 failed for good; the FailIndex rule at index 1 of podFailurePolicy failed index 3;/,
    ],
    ["is one this version does not know", failed({}, "SomethingNew", twoFailures), /^The Job failed \(SomethingNew\)/],
  ])("%s", (_, story, message) => {
    const found = findingOf(story, "LimitReached")?.message;
    if (typeof message === "string") expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  it("names each failed attempt with its exit code as evidence", () => {
    const story = failed({ backoffLimit: 1 }, "BackoffLimitExceeded", twoFailures);
    const details = findingOf(story, "LimitReached")?.evidence.map(({ detail }) => detail);
    expect(details).toEqual([
      "failed with exit code 1",
      "failed with exit code 1",
      "was reported Failed (BackoffLimitExceeded)",
    ]);
  });

  it("is absent while the Job continues, but names a Pod's own deadline", () => {
    const story = new Story();
    story.jobCreated({ podActiveDeadlineSeconds: 3, activeDeadlineSeconds: 600 });
    story.jobTracked();
    story.podFails("a", 137, 3, { tracked: true, reason: "DeadlineExceeded" });
    expect(kindsOf(story)).toEqual(["LimitReached"]);
    expect(findingOf(story, "LimitReached")?.message).toContain("not the Job's (600 s)");
  });
});
