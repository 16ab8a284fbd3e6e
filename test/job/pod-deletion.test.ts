import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../src/job/job-spec.ts";
import { attributePodDeletion } from "../../src/job/pod-deletion.ts";
import { Story } from "../support/story.ts";

const SERVICE = "system:serviceaccount:kube-system:";

function running(tracked = true, spec: Partial<JobSpec> = {}): Story {
  const story = new Story();
  story.node("node-a", "True", "KubeletReady");
  story.jobCreated(spec);
  if (tracked) story.jobTracked();
  else story.jobUntracked();
  story.podCreated("a");
  if (tracked) story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  return story;
}

function gone(story: Story, phase: string, tracked = false): Story {
  story.podDeletionRequested("a", phase, { tracked });
  story.podDeleted("a");
  return story;
}

function told(tell: (story: Story) => void, phase = "Running", tracked = true): Story {
  const story = running();
  tell(story);
  return gone(story, phase, tracked);
}

function succeeded(): Story {
  const story = running(false);
  story.containerEnded("a", 0, 10);
  story.podTerminated("a", "Succeeded");
  story.after(20);
  return story;
}

function whoDeleted(story: Story): string | undefined {
  const by = attributePodDeletion(story.pod("a"), story.record.job, story.surroundings);
  return by === undefined ? undefined : `${by.actor}, ${by.confidence}`;
}

describe("who deleted a Pod, without the audit log", () => {
  it.each<[string, Story, string | undefined]>([
    ["is nobody while it lives", running(), undefined],
    ["is nobody known where it only vanished", vanished(), undefined],
    [
      "is Pod GC for a Pod that had ended while its Job stays",
      gone(succeeded(), "Succeeded"),
      "pod-garbage-collector, likely",
    ],
    [
      "is Pod GC by its condition",
      told((story) => story.podDisrupted("a", "DeletionByPodGC")),
      "pod-garbage-collector, certain",
    ],
    [
      "is the taint manager by its condition",
      told((story) => story.podDisrupted("a", "DeletionByTaintManager")),
      "node-controller, certain",
    ],
    [
      "is the scheduler by its condition",
      told((story) => story.podDisrupted("a", "PreemptionByScheduler")),
      "kube-scheduler, certain",
    ],
    [
      "is the scheduler by the condition's first name",
      told((story) => story.podDisrupted("a", "PreemptionByKubeScheduler")),
      "kube-scheduler, certain",
    ],
    [
      "is somebody through the eviction API",
      told((story) => story.podDisrupted("a", "EvictionByEvictionAPI")),
      "eviction-api, likely",
    ],
    ["is less sure where the condition is older than 2 min", told(disruptedLongAgo), "pod-garbage-collector, likely"],
    [
      "is not the kubelet, which only ends Pods",
      told((story) => story.podDisrupted("a", "TerminationByKubelet")),
      "unknown, possible",
    ],
    [
      "is the garbage collector once the Job is going",
      told((story) => story.jobDeletionRequested()),
      "generic-garbage-collector, likely",
    ],
    [
      "is the garbage collector once the Job is gone",
      told((story) => story.jobDeleted()),
      "generic-garbage-collector, likely",
    ],
    [
      "is the Job controller where the finalizer went first",
      told((story) => story.podUntracked("a"), "Running", false),
      "job-controller, likely",
    ],
    ["is the Job controller at the Job's failure", failing(), "job-controller, likely"],
    ["is not the Job controller an hour before the Job's failure", failing(3_600), "unknown, possible"],
    ["is Pod GC on an old server where the node is gone", lost("gone"), "pod-garbage-collector, likely"],
    ["is the taint manager on an old server where the node is silent", lost("Unknown"), "node-controller, likely"],
    ["is unknown for a Pod that ran on a ready node", gone(running(), "Running", true), "unknown, possible"],
  ])("%s", (_, story, who) => expect(whoDeleted(story)).toBe(who));
});

function vanished(): Story {
  const story = running();
  story.podVanished("a");
  return story;
}

function disruptedLongAgo(story: Story): void {
  story.podDisrupted("a", "DeletionByPodGC");
  story.after(121);
}

function failing(before = 1): Story {
  const story = gone(running(), "Running", true);
  story.after(before);
  story.jobFinished("Failed", "BackoffLimitExceeded");
  return story;
}

function lost(node: "gone" | "Unknown"): Story {
  const story = running(false);
  if (node === "gone") story.nodeDeleted("node-a");
  else story.node("node-a", "Unknown");
  story.after(300);
  return gone(story, "Running");
}

describe("who deleted a Pod, by the audit log", () => {
  it.each<[string, Story, string | undefined]>([
    ["is who asked, not who was likely", audited("alice"), "alice, certain"],
    [
      "is the last part of a service account",
      audited(`${SERVICE}pod-garbage-collector`),
      "pod-garbage-collector, certain",
    ],
    ["is not the kubelet of its node", audited("system:node:node-a"), "pod-garbage-collector, likely"],
    ["is not a stand-in for a kubelet", audited("stand-in-kubelet"), "pod-garbage-collector, likely"],
    ["is not who was refused", audited("alice", { code: 403 }), "pod-garbage-collector, likely"],
    [
      "is not who deleted another Pod of that name",
      audited("alice", { uid: "another" }),
      "pod-garbage-collector, likely",
    ],
    [
      "is not who deleted that name an hour before",
      audited("alice", { hoursBefore: 1 }),
      "pod-garbage-collector, likely",
    ],
    ["is who evicted it", audited("alice", { eviction: true }), "alice, certain"],
    ["is the first of several", several(), "alice, certain"],
  ])("%s", (_, story, who) => expect(whoDeleted(story)).toBe(who));

  it("keeps the inferred cause where the two agree", () => {
    const story = audited(`${SERVICE}pod-garbage-collector`);
    const by = attributePodDeletion(story.pod("a"), story.record.job, story.surroundings);
    expect(by?.cause).toContain("--terminated-pod-gc-threshold");
    expect(by?.evidence.map(({ kind }) => kind)).toEqual(["PodDeletionRequested", "RequestHinted"]);
  });
});

interface Asked {
  readonly code?: number;
  readonly uid?: string;
  readonly hoursBefore?: number;
  readonly eviction?: boolean;
}

function audited(user: string, { code = 200, uid, hoursBefore = 0, eviction = false }: Asked = {}): Story {
  const story = succeeded();
  const target = { kind: "Pod", namespace: "default", name: "render-a" } as const;
  story.requested({ pod: "a" }, user, {
    code,
    requestedAt: story.now - hoursBefore * 3_600_000,
    ...(uid !== undefined && { target: { ...target, uid } }),
    ...(eviction && { verb: "create", subresource: "eviction" }),
  });
  return gone(story, "Succeeded");
}

/** Pod GC asks again every 20 s for a Pod that waits for its finalizer. */
function several(): Story {
  const story = succeeded();
  story.requested({ pod: "a" }, "alice");
  story.podDeletionRequested("a", "Succeeded");
  story.after(2);
  story.requested({ pod: "a" }, `${SERVICE}pod-garbage-collector`);
  return story;
}
