import { describe, expect, it } from "vitest";
import type { Category } from "../../../src/job/attribution/category.ts";
import { categoryOf } from "../../../src/job/attribution/category.ts";
import { Story } from "../../support/story/story.ts";

function told(tell: (story: Story) => void): Story {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  story.podCreated("a");
  story.podTracked("a");
  tell(story);
  return story;
}

function failed(exitCode: number, reason?: string, end: { reason?: string } = {}): Story {
  return told((story) => {
    story.podStarted("a");
    story.after(5);
    story.containerEnded("a", exitCode, 5, end);
    story.podTerminated("a", "Failed", reason === undefined ? {} : { reason });
  });
}

function failedFirst(exitCode = 3): Story {
  return told((story) => {
    story.podStarted("a");
    story.after(5);
    story.containerEnded("a", exitCode, 5);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.podTerminated("a", "Failed");
  });
}

function refused(reason: string): Story {
  return told((story) => story.podTerminated("a", "Failed", { reason }));
}

function disrupted(disruption: string, reason?: string): Story {
  return told((story) => {
    story.podStarted("a");
    story.after(5);
    story.podDisrupted("a", disruption);
    story.containerEnded("a", 137, 5);
    story.podTerminated("a", "Failed", reason === undefined ? {} : { reason });
  });
}

function waiting(reason: string): Story {
  return told((story) =>
    story.podObserved("a", { phase: "Pending", ready: false, waiting: { container: "work", reason } }),
  );
}

function deletedWhileRunning(exitCode: number, ranOn = 1): Story {
  return told((story) => {
    story.podStarted("a");
    story.after(5);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    story.after(ranOn);
    story.containerEnded("a", exitCode, 5);
    story.podTerminated("a", "Failed");
  });
}

describe("the category of a Pod", () => {
  it.each<[string, Story, Category | undefined]>([
    ["that succeeded", told((story) => story.podTerminated("a", "Succeeded")), undefined],
    ["that runs", told((story) => story.podStarted("a")), undefined],
    ["whose program failed", failed(1), "application"],
    ["that ended while containerd was down", failed(255, undefined, { reason: "Unknown" }), "unknown"],
    ["whose program failed in the second of its deletion, before the request", failedFirst(), "application"],
    ["that was killed in the second of its deletion", failedFirst(137), "deleted"],
    ["whose deletion and SIGTERM fall into one second", failedFirst(143), "deleted"],
    ["whose program was killed for an unknown reason", failed(137), "application"],
    ["whose container ran out of memory", failed(137, undefined, { reason: "OOMKilled" }), "oom"],
    ["whose program is not there", failed(127), "configuration"],
    ["whose program is not executable", failed(126), "configuration"],
    ["whose container could not be started", failed(128, undefined, { reason: "StartError" }), "configuration"],
    [
      "whose container was lost by the kubelet",
      failed(137, undefined, { reason: "ContainerStatusUnknown" }),
      "unknown",
    ],
    ["evicted for node pressure", failed(137, "Evicted"), "eviction"],
    ["evicted for node pressure, with its condition", disrupted("TerminationByKubelet", "Evicted"), "eviction"],
    ["on a node that was shut down", disrupted("TerminationByKubelet", "Terminated"), "node-loss"],
    ["on a node that was shut down, before conditions", failed(137, "NodeShutdown"), "node-loss"],
    ["preempted by the scheduler", disrupted("PreemptionByScheduler"), "preemption"],
    ["preempted by the kubelet", disrupted("TerminationByKubelet", "Preempting"), "preemption"],
    ["evicted through the API", disrupted("EvictionByEvictionAPI"), "eviction"],
    ["ended by Pod GC for a lost node", disrupted("DeletionByPodGC"), "node-loss"],
    ["taken by a taint on a node that is well", disrupted("DeletionByTaintManager"), "eviction"],
    ["taken by a taint on a silent node", taintedOnSilentNode(), "node-loss"],
    ["that failed before its stale condition", staleCondition(), "application"],
    ["past its own deadline", failed(137, "DeadlineExceeded"), "deadline"],
    ["refused by its node", refused("OutOfcpu"), "eviction"],
    ["refused by its node's labels", refused("NodeAffinity"), "eviction"],
    ["that waits for its image", waiting("ImagePullBackOff"), "image"],
    ["that waits for its configuration", waiting("CreateContainerConfigError"), "configuration"],
    ["whose program crashes again and again", waiting("CrashLoopBackOff"), "application"],
    ["deleted while it ran", deletedWhileRunning(143), "deleted"],
    ["deleted at the Job's deadline", atDeadline(), "deadline"],
    ["that vanished", told((story) => story.podVanished("a")), "unknown"],
  ])("%s", (_, story, category) => {
    expect(categoryOf(story.pod("a"), story.record.job, story.clusterContext)).toBe(category);
  });
});

function taintedOnSilentNode(): Story {
  return told((story) => {
    story.podStarted("a");
    story.node("node-a", "Unknown");
    story.after(5);
    story.podDisrupted("a", "DeletionByTaintManager");
    story.podDeletionRequested("a", "Running", { tracked: true });
    story.podDeleted("a");
  });
}

function staleCondition(): Story {
  const story = failed(3);
  story.podDisrupted("a", "EvictionByEvictionAPI");
  return story;
}

function atDeadline(): Story {
  const story = deletedWhileRunning(143);
  story.jobFinished("Failed", "DeadlineExceeded");
  return story;
}
