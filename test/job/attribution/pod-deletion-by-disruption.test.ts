import { describe, expect, it } from "vitest";
import { disrupted, isDisruptedBefore } from "../../../src/job/attribution/pod-deletion-by-disruption.ts";
import { deletionCaseOf } from "../../support/story/deletion-case.ts";
import { Story } from "../../support/story/story.ts";

/** A Pod with condition DisruptionTarget that is deleted this many seconds later. */
function deletedAfter(reason: string, seconds: number): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podStarted("a");
  story.podDisrupted("a", reason);
  story.after(seconds);
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  return story;
}

describe("a deletion after condition DisruptionTarget", () => {
  it.each([
    ["PreemptionByScheduler", 1, "kube-scheduler", "certain"],
    ["PreemptionByKubeScheduler", 1, "kube-scheduler", "certain"],
    ["DeletionByTaintManager", 1, "node-controller", "certain"],
    ["DeletionByPodGC", 1, "pod-garbage-collector", "certain"],
    ["EvictionByEvictionAPI", 1, "eviction-api", "likely"],
    ["PreemptionByScheduler", 30, "kube-scheduler", "likely"],
    ["PreemptionByScheduler", 121, "kube-scheduler", "possible"],
  ])("%s, %i s before, is of %s: %s", (reason, seconds, actor, confidence) => {
    expect(disrupted(deletionCaseOf(deletedAfter(reason, seconds)))).toMatchObject({ actor, confidence });
  });

  it("is unknown for the kubelet, which deletes no Pod, and for new reasons", () => {
    expect(disrupted(deletionCaseOf(deletedAfter("TerminationByKubelet", 1)))).toBeUndefined();
    expect(disrupted(deletionCaseOf(deletedAfter("ByAnythingNew", 1)))).toBeUndefined();
  });

  it("is likely where one event shows both", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.inOneEvent(() => {
      story.podDisrupted("a", "PreemptionByScheduler");
      story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
    });
    expect(disrupted(deletionCaseOf(story))?.confidence).toBe("likely");
  });
});

describe("a condition from after the deletion", () => {
  it("did not cause it", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
    story.podDisrupted("a", "DeletionByTaintManager");
    const { pod, deletion } = deletionCaseOf(story);
    expect(isDisruptedBefore(pod, deletion)).toBe(false);
    expect(disrupted(deletionCaseOf(story))).toBeUndefined();
  });
});
