import { describe, expect, it } from "vitest";
import { describeFact } from "../../src/explain/describe-fact.ts";
import type { JobFact } from "../../src/job/model/fact.ts";
import { Story } from "../support/story/story.ts";

function last(tell: (story: Story) => void): JobFact {
  const story = new Story();
  story.jobCreated();
  tell(story);
  const fact = story.facts.at(-1);
  if (fact === undefined) throw new Error("The story has no facts.");
  return fact;
}

const GPU = { container: "work", resource: "nvidia.com/gpu", device: "GPU-1" };

describe("the description of a fact", () => {
  it.each<[string, (story: Story) => void, string]>([
    ["a reported status", (story) => story.jobReported({ active: 1, failed: 2 }), "was reported: active 1, failed 2"],
    ["an empty status", (story) => story.jobReported({}), "was reported: nothing yet"],
    ["a Job that tracks Pods by finalizer", (story) => story.jobTracked(), "has its Pods counted by finalizer"],
    ["a Job that does not", (story) => story.jobUntracked(), "has only its existing Pods counted"],
    [
      "a failed Job",
      (story) => story.jobFinished("Failed", "BackoffLimitExceeded", {}),
      "was reported Failed (BackoffLimitExceeded)",
    ],
    ["a new Pod", (story) => story.podCreated("a"), "was created"],
    ["a new Pod of an index", (story) => story.podCreated("a", { index: 3 }), "was created for index 3"],
    ["a Pod with the finalizer", (story) => story.podTracked("a"), "carries the tracking finalizer"],
    ["a Pod that is being deleted", (story) => story.podDeletionRequested("a", "Running"), "was marked for deletion"],
    ["a deleted Pod", (story) => story.podDeleted("a"), "was deleted"],
    ["a failed Pod", (story) => story.podTerminated("a", "Failed"), "failed"],
    [
      "a failed Pod with a device",
      (story) => story.podTerminated("a", "Failed", { unhealthy: [GPU] }),
      "failed, device GPU-1 (nvidia.com/gpu) is Unhealthy",
    ],
    [
      "a Pod with a device",
      (story) => story.podObserved("a", { phase: "Pending", ready: false, unhealthy: [GPU] }),
      "was Pending, device GPU-1 (nvidia.com/gpu) is Unhealthy",
    ],
  ])("of %s is a clause with its object as the subject", (_, tell, text) => {
    expect(describeFact(last(tell))).toBe(text);
  });
});
