import { describe, expect, it } from "vitest";
import { messageDetails } from "../../../src/kubernetes/message/parse-message.ts";

const details = (reason: string, message: string) => messageDetails(reason, message, { names: false });

describe("a message of the scheduler", () => {
  it.each([
    [
      "0/14 nodes are available: 12 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: " +
        "gpu}. preemption: 0/14 nodes are available: 14 Preemption is not helpful for scheduling.",
      14,
      [
        { cause: "insufficient", resource: "cpu", nodes: 12 },
        { cause: "taint", nodes: 2 },
      ],
    ],
    [
      "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, " +
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
      2,
      [{ cause: "insufficient", resource: "cpu", nodes: 2 }],
    ],
    [
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable.",
      2,
      [
        { cause: "insufficient", resource: "nvidia.com/gpu", nodes: 1 },
        { cause: "cordoned", nodes: 1 },
      ],
    ],
    [
      "0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: " +
        "}, that the pod didn't tolerate, 2 Insufficient memory.",
      3,
      [
        { cause: "insufficient", resource: "memory", nodes: 2 },
        { cause: "taint", nodes: 1 },
      ],
    ],
    [
      "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
      2,
      [{ cause: "nodeSelector", nodes: 2 }],
    ],
    ["0/4 nodes are available: 4 Too many pods.", 4, [{ cause: "insufficient", resource: "pods", nodes: 4 }]],
    [
      "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. " +
        "preemption: 0/1 nodes are available: 1 No preemption victims found.",
      1,
      [{ cause: "volumeUnbound" }],
    ],
    ['0/1 nodes are available: persistentvolumeclaim "data" not found.', 1, [{ cause: "volumeMissing" }]],
    ["0/1 nodes are available: 1 node(s) had volume node affinity conflict.", 1, [{ cause: "volume", nodes: 1 }]],
    ["0/5 nodes are available: 5 node(s) password=hunter2.", 5, [{ cause: "other", nodes: 5 }]],
    ["0/5 nodes are available: 5 Insufficient password=hunter2.", 5, [{ cause: "insufficient", nodes: 5 }]],
  ])("%s", (message, nodes, causes) => {
    expect(details("FailedScheduling", message)).toEqual({ about: "scheduling", nodes, causes });
  });

  it.each([
    ['waiting for pods\'s pod group "train" to appear in scheduling queue', "podGroupMissing"],
    ["waiting for minCount pods from a gang to appear in scheduling queue", "podGroupIncomplete"],
    ['resourceclaim "gpus" not found', "resourceClaim"],
    ["waiting for resource claim 'gpus' to be present", "resourceClaim"],
  ])("says why the Pod is not ready for scheduling: %s", (message, cause) => {
    expect(details("NotReadyForScheduling", message)).toEqual({ about: "scheduling", causes: [{ cause }] });
  });

  it("of another plugin says nothing about a Pod that is not ready", () => {
    expect(details("NotReadyForScheduling", "waiting for password=hunter2")).toBeUndefined();
  });

  it("names scheduling gates as the obstacle", () => {
    expect(details("SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates")).toEqual({
      about: "scheduling",
      causes: [{ cause: "gated" }],
    });
  });
});
