import { describe, expect, it } from "vitest";
import { describeCause, lostInBrief, shortCauseText } from "../../../src/explain/cause/describe-cause.ts";
import type { OutcomeLost, PodCause } from "../../../src/job/cause/pod-cause.ts";

const work = { container: "work", role: "main" } as const;
const node = "node-a";

describe("a cause in words", () => {
  it.each<[PodCause, string]>([
    [
      { cause: "outOfMemory", ...work, exitCode: 137, memoryLimit: "32Mi" },
      "OOMKilled: container work exceeded its memory limit (32Mi)",
    ],
    [
      { cause: "outOfMemory", container: "prepare", role: "init", exitCode: 137 },
      "OOMKilled: init container prepare exceeded its memory limit",
    ],
    [
      { cause: "outOfMemory", ...work, exitCode: 3, memoryLimit: "32Mi" },
      "OOMKilled: a child process of container work (memory limit 32Mi); the container then exited with code 3",
    ],
    [
      { cause: "outOfMemory", ...work, exitCode: 0 },
      "OOMKilled: a child process of container work; the container then exited with code 0",
    ],
    [
      { cause: "imageNotPulled", ...work, reason: "ErrImagePull", problem: "notFound", since: 0 },
      "ErrImagePull: the image of container work cannot be pulled (not found)",
    ],
    [
      {
        cause: "containerNotStarted",
        ...work,
        reason: "StartError",
        details: { about: "start", problem: "noCommand" },
      },
      "StartError: container work could not be started (no command)",
    ],
    [
      { cause: "volumeNotMounted", reason: "FailedMount", details: { about: "missing", object: "Secret" }, since: 0 },
      "FailedMount: a volume could not be mounted (Secret is missing)",
    ],
    [
      { cause: "notScheduled", reason: "SchedulingGated", gates: ["example.com/hold"], since: 0 },
      "SchedulingGated: scheduling gate example.com/hold is on",
    ],
    [{ cause: "notScheduled", reason: "Unschedulable", since: 0 }, "Unschedulable: no node fits"],
    [{ cause: "refused", times: 1 }, "FailedCreate: no Pod could be created, the API server refuses to create them"],
    [
      { cause: "refused", times: 4, details: { about: "refusal", by: "quota" }, hasPods: true },
      "FailedCreate: further Pods could not be created, quota exceeded (4 times)",
    ],
    [{ cause: "preempted", node }, "preempted by a Pod of higher priority on node-a"],
    [{ cause: "evicted", by: "nodePressure", node }, "evicted by the kubelet on node-a"],
    [
      { cause: "evicted", by: "nodePressure", resource: "memory", node },
      "evicted by the kubelet on node-a: the node was low on memory",
    ],
    [
      { cause: "evicted", by: "ownLimit", resource: "ephemeral-storage" },
      "evicted by the kubelet: the Pod exceeded its limit of ephemeral-storage",
    ],
    [{ cause: "evicted", by: "evictionApi", node }, "evicted through the eviction API from node-a, as a drain does"],
    [{ cause: "evicted", by: "taint", node }, "evicted for a taint that the Pod does not tolerate on node-a"],
    [{ cause: "evicted", by: "deviceTaint", node }, "evicted for a device's taint on node-a"],
    [{ cause: "preempted", by: "PodGroup", node }, "preempted by a PodGroup of higher priority on node-a"],
    [
      { cause: "outOfMemory", ...work, exitCode: 137, podMemoryLimit: "64Mi" },
      "OOMKilled: container work exceeded the memory limit of its Pod (64Mi)",
    ],
    [
      { cause: "outOfMemory", ...work, exitCode: 137, memoryLimit: "32Mi", podMemoryLimit: "64Mi" },
      "OOMKilled: container work exceeded its memory limit (32Mi) or that of its Pod (64Mi)",
    ],
    [
      { cause: "outOfMemory", ...work, exitCode: 3, podMemoryLimit: "64Mi" },
      "OOMKilled: a child process of container work (memory limit 64Mi); the container then exited with code 3",
    ],
    [
      { cause: "notScheduled", reason: "SchedulerError", podGroup: "train", since: 0 },
      "SchedulerError: the scheduler could not place PodGroup train",
    ],
    [
      { cause: "notScheduled", reason: "NotReadyForScheduling", since: 0 },
      "NotReadyForScheduling: the scheduler does not yet try to place the Pod",
    ],
    [
      {
        cause: "notScheduled",
        reason: "NotReadyForScheduling",
        details: { about: "scheduling", causes: [{ cause: "podGroupMissing" }] },
        podGroup: "train",
        since: 0,
      },
      "NotReadyForScheduling: PodGroup train does not exist",
    ],
    [
      { cause: "exited", ...work, exitCode: 1, unhealthy: { resource: "nvidia.com/gpu", device: "GPU-1" } },
      "container work exited with code 1 while its device nvidia.com/gpu was reported Unhealthy",
    ],
    [
      { cause: "exited", ...work, exitCode: 88, restartedAll: true },
      "container work exited with code 88, so all containers were restarted",
    ],
    [{ cause: "evicted", by: "nodeShutdown", node }, "evicted because node node-a was shut down"],
    [{ cause: "evicted", by: "nodeShutdown" }, "evicted because its node was shut down"],
    [{ cause: "evicted", by: "unknown", node }, "evicted on node-a"],
    [
      { cause: "refusedByNode", reason: "OutOfcpu", resource: "cpu", node, hadRun: true },
      "OutOfcpu: node-a refused the Pod (not enough cpu; its program had run before the kubelet restarted)",
    ],
    [{ cause: "refusedByNode", reason: "NodeAffinity", hadRun: false }, "NodeAffinity: the node refused the Pod"],
    [
      { cause: "probeFailed", probe: "startup", container: "proxy", role: "sidecar", exitCode: 137 },
      "startup probe failed, so sidecar proxy was killed",
    ],
    [{ cause: "nodeLost", node }, "node node-a was lost, so the outcome is unknown"],
    [
      { cause: "outcomeLost", by: "runtime", ...work, node },
      "outcome unknown: the container runtime on node-a lost container work (exit code 255, Unknown)",
    ],
    [{ cause: "outcomeLost", by: "kubelet" }, "outcome unknown: no end of the containers was reported"],
    [{ cause: "outcomeLost", by: "deletion" }, "outcome unknown: the Pod was deleted by force while it ran"],
    [{ cause: "podDeadline", seconds: 3 }, "the Pod's own activeDeadlineSeconds (3 s) passed"],
    [
      { cause: "deleted", actor: "alice", confidence: "certain", exitCode: 143 },
      "Pod deleted by alice while it ran (exit code 143)",
    ],
    [{ cause: "deleted", actor: "unknown", confidence: "possible" }, "Pod deleted by an unknown actor"],
    [{ cause: "exited", ...work, exitCode: 1 }, "container work exited with code 1"],
    [{ cause: "exited", ...work, exitCode: 127 }, "container work exited with code 127 (command not found)"],
    [{ cause: "exited", ...work, exitCode: 137 }, "container work exited with code 137 (SIGKILL)"],
    [{ cause: "exited", ...work, exitCode: 134, signal: 6 }, "container work exited with code 134 (signal 6)"],
  ])("%o is: %s", (why, text) => {
    expect(describeCause(why)).toBe(text);
  });
});

describe("a cause in few words", () => {
  const causes = [
    { cause: "insufficient", resource: "cpu", nodes: 12 },
    { cause: "taint", nodes: 2 },
  ] as const;
  it.each<[PodCause, string | undefined]>([
    [
      { cause: "notScheduled", reason: "Unschedulable", details: { about: "scheduling", nodes: 14, causes }, since: 0 },
      "Unschedulable: Insufficient cpu on 12 of 14 nodes",
    ],
    [{ cause: "notScheduled", reason: "Unschedulable", since: 0 }, undefined],
    [
      { cause: "notScheduled", reason: "NotReadyForScheduling", details: { about: "scheduling", causes }, since: 0 },
      undefined,
    ],
    [
      { cause: "refused", times: 9, details: { about: "refusal", by: "quota" } },
      "FailedCreate: no Pod could be created, quota exceeded",
    ],
    [{ cause: "preempted" }, undefined],
  ])("%o is: %s", (why, text) => {
    expect(shortCauseText(why)).toBe(text);
  });

  it.each<[Omit<OutcomeLost, "cause">, string]>([
    [{ by: "runtime", node }, "outcome unknown: node-a's container runtime lost it"],
    [{ by: "kubelet" }, "outcome unknown: the node reported no end"],
    [{ by: "deletion", node }, "outcome unknown: the Pod was deleted by force"],
  ])("an unknown outcome: %o is: %s", (lost, text) => {
    expect(lostInBrief({ cause: "outcomeLost", ...lost })).toBe(text);
  });
});
