import { describe, expect, it } from "vitest";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import type { DeletionCause } from "../../../src/job/attribution/attribution.ts";
import { attributePodDeletion } from "../../../src/job/attribution/pod-deletion.ts";
import { Story } from "../../support/story/story.ts";

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
  const by = attributePodDeletion(story.pod("a"), story.record.job, story.clusterContext);
  return by === undefined ? undefined : `${by.actor}, ${by.confidence}`;
}

describe("who deleted a Pod, without the audit log", () => {
  it.each<[string, Story, string | undefined]>([
    ["is absent while it lives", running(), undefined],
    ["is unknown where it only vanished", vanished(), undefined],
    [
      "is unknown for a Pod that had ended while its Job stays: a user's request looks like that of Pod GC",
      gone(succeeded(), "Succeeded"),
      "unknown, possible",
    ],
    [
      "is unknown for a Pod whose end and deletion were observed together, its containers having ended first",
      seenAtOnce(),
      "unknown, possible",
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
      "is a caller of the eviction API",
      told((story) => story.podDisrupted("a", "EvictionByEvictionAPI")),
      "eviction-api, likely",
    ],
    ["is sure of a condition up to 10 s before the deletion", told(disrupted(10)), "pod-garbage-collector, certain"],
    ["is less sure of a condition 11 s before the deletion", told(disrupted(11)), "pod-garbage-collector, likely"],
    ["is not sure of a condition that is older than 2 min", told(disrupted(121)), "pod-garbage-collector, possible"],
    [
      "is less sure of a condition that was seen together with the deletion",
      disruptedAtOnce(),
      "node-controller, likely",
    ],
    ["is not the taint manager whose condition came after the deletion", disruptedTooLate(), "unknown, possible"],
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
      "is not the garbage collector for a Job deleted in the background after the Pod, at an unknown time",
      goneBeforeItsJob(),
      "unknown, possible",
    ],
    [
      "is the Job controller where the Job's suspension is as old, though the Job is gone since",
      suspended(0),
      "job-controller, likely",
    ],
    ["is not the suspension of a Job that came 2 s later", suspended(2), "unknown, possible"],
    [
      "is the Job controller where the finalizer went first",
      told((story) => story.podUntracked("a"), "Running", false),
      "job-controller, likely",
    ],
    ["is the Job controller in the second of the Job's failure", failing(0), "job-controller, likely"],
    [
      "is unknown in the second of the Job's failure where only one Pod runs at a time",
      failing(0, undefined, 1),
      "unknown, possible",
    ],
    [
      "is the Job controller in the second of the failure for restarts of the only Pod",
      failing(0, (story) => story.containerEnded("a", 1, 2, { restartCount: 1 }), 1),
      "job-controller, likely",
    ],
    ["is the Job controller a minute after the Job's failure", failing(-60), "job-controller, likely"],
    ["is not the Job controller much later", failing(-61), "unknown, possible"],
    ["is not the Job controller where the deletion led to the Job's failure", failing(1), "unknown, possible"],
    [
      "is the Job controller at the Job's failure, though a user deleted the Job in that second",
      failing(0, (story) => story.jobDeletionRequested()),
      "job-controller, likely",
    ],
    ["is Pod GC on an old server where the node is gone", lost("gone"), "pod-garbage-collector, likely"],
    ["is not Pod GC where a grace was left", lost("gone", { graceSeconds: 30 }), "unknown, possible"],
    ["is the taint manager on an old server where the node is silent", lost("Unknown"), "node-controller, likely"],
    [
      "is hardly the taint manager where servers write a condition, and none was seen",
      lost("Unknown", { tracked: true }),
      "node-controller, possible",
    ],
    [
      "is the taint manager by its event",
      tainted("Marking for deletion Pod default/render-a"),
      "node-controller, likely",
    ],
    [
      "is not the taint manager that let it be",
      tainted("Cancelling deletion of Pod default/render-a"),
      "unknown, possible",
    ],
    ["is not the taint manager whose event came later", tainted("Marking for deletion", 1), "unknown, possible"],
    ["is unknown for a Pod that ran on a ready node", gone(running(), "Running", true), "unknown, possible"],
  ])("%s", (_, story, who) => expect(whoDeleted(story)).toBe(who));
});

function vanished(): Story {
  const story = running();
  story.podVanished("a");
  return story;
}

function disrupted(seconds: number): (story: Story) => void {
  return (story) => {
    story.podDisrupted("a", "DeletionByPodGC");
    story.after(seconds);
  };
}

/** All facts of one observation have one order. */
function atOnce(story: Story, tell: (story: Story) => void): void {
  const before = story.facts.length;
  tell(story);
  const [first] = story.facts.slice(before);
  story.facts.splice(
    before,
    Number.POSITIVE_INFINITY,
    ...story.facts
      .slice(before)
      .map((fact) => ({ ...fact, resourceVersion: first?.resourceVersion ?? fact.resourceVersion })),
  );
}

function seenAtOnce(): Story {
  const story = running(false);
  story.containerEnded("a", 0, 10);
  story.after(20);
  atOnce(story, () => {
    story.podTerminated("a", "Succeeded");
    story.podDeletionRequested("a", "Succeeded");
  });
  story.podDeleted("a");
  return story;
}

function disruptedAtOnce(): Story {
  const story = running();
  atOnce(story, () => {
    story.podDisrupted("a", "DeletionByTaintManager");
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  });
  return story;
}

/** A user deletes the Pod of a silent node a moment before the taint manager does. */
function disruptedTooLate(): Story {
  const story = running();
  story.node("node-a", "Unknown");
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  story.podDisrupted("a", "DeletionByTaintManager");
  return story;
}

function goneBeforeItsJob(): Story {
  const story = gone(running(), "Running", true);
  story.jobDeleted();
  return story;
}

function suspended(after: number): Story {
  const story = running(false);
  story.podDeletionRequested("a", "Running", { graceSeconds: 30 });
  story.after(after);
  story.jobReported({ conditions: [{ type: "Suspended", status: "True", lastTransitionAt: story.now }] });
  story.jobDeleted();
  return story;
}

/** The Job failed `after` seconds after the Pod was asked to go. */
function failing(after: number, meanwhile: (story: Story) => void = () => undefined, parallelism = 2): Story {
  const story = running(true, { parallelism });
  const condition = { type: "Failed", status: "True", reason: "BackoffLimitExceeded" };
  meanwhile(story);
  gone(story, "Running", true);
  story.jobReported({ conditions: [{ ...condition, lastTransitionAt: story.now + after * 1_000 }] });
  return story;
}

function lost(node: "gone" | "Unknown", { tracked = false, graceSeconds = 0 } = {}): Story {
  const story = running(tracked);
  if (node === "gone") story.nodeDeleted("node-a");
  else story.node("node-a", "Unknown");
  story.after(300);
  story.podDeletionRequested("a", "Running", { tracked, graceSeconds });
  return story;
}

function tainted(message: string, late = 0): Story {
  const story = running();
  const stamp = { epoch: 0, resourceVersion: story.pod("a").created?.resourceVersion, at: story.now };
  const target = { kind: "Pod", namespace: "default", name: "render-a" } as const;
  const times = { firstAt: story.now + late * 1_000, lastAt: story.now + late * 1_000 };
  if (stamp.resourceVersion !== undefined) {
    const event = { hintId: "event", target, reason: "TaintManagerEviction", message, count: 1, ...times };
    story.hinted({ ...stamp, resourceVersion: stamp.resourceVersion, kind: "EventHinted", ...event });
  }
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  return story;
}

describe("why the Job controller deleted a Pod that its Event names", () => {
  it.each<[string, (story: Story) => void, DeletionCause]>([
    [
      "is the verdict of that moment",
      (story) => story.jobFinished("Failed", "DeadlineExceeded"),
      { cause: "jobFailed", reason: "DeadlineExceeded" },
    ],
    ["is that it was no longer needed, if nothing else happened", () => {}, { cause: "notNeeded" }],
  ])("%s", (_, happen, cause) => {
    const story = running();
    happen(story);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
    const { created } = story.pod("a");
    if (created === undefined) throw new Error("The Pod was never created.");
    story.hinted({
      epoch: created.epoch,
      resourceVersion: created.resourceVersion,
      at: story.now,
      kind: "EventHinted",
      hintId: "event-1",
      target: { kind: "Job", namespace: "default", name: "render" },
      reason: "SuccessfulDelete",
      message: "Deleted pod: render-a",
      count: 1,
      firstAt: story.now,
      lastAt: story.now,
    });
    expect(attributePodDeletion(story.pod("a"), story.record.job, story.clusterContext)?.cause).toEqual(cause);
  });
});

describe("who deleted a Pod, by the audit log", () => {
  it.each<[string, Story, string | undefined]>([
    ["is who asked, not who was likely", audited("alice"), "alice, certain"],
    [
      "is the last part of a service account",
      audited(`${SERVICE}pod-garbage-collector`),
      "pod-garbage-collector, certain",
    ],
    ["is not the kubelet of its node", audited("system:node:node-a"), "unknown, possible"],
    ["is not a stand-in for a kubelet", audited("stand-in-kubelet"), "unknown, possible"],
    ["is not who was refused", audited("alice", { code: 403 }), "unknown, possible"],
    ["is not who deleted another Pod of that name", audited("alice", { uid: "another" }), "unknown, possible"],
    ["is not who deleted that name an hour before", audited("alice", { hoursBefore: 1 }), "unknown, possible"],
    ["is who evicted it", audited("alice", { eviction: true }), "alice, certain"],
    ["is the first of several", several(), "alice, certain"],
  ])("%s", (_, story, who) => expect(whoDeleted(story)).toBe(who));

  it("keeps the inferred cause where the two agree", () => {
    const story = audited(`${SERVICE}pod-garbage-collector`);
    const by = attributePodDeletion(story.pod("a"), story.record.job, story.clusterContext);
    expect(by?.cause).toEqual({ cause: "tooManyTerminatedPods" });
    expect(by?.evidence.map(({ fact }) => fact)).toEqual(["PodDeletionRequested", "RequestHinted"]);
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
