import { describe, expect, it } from "vitest";
import type { PodCause } from "../../../src/job/cause/pod-cause.ts";
import { causeOfTaking } from "../../../src/job/cause/taken-away.ts";
import type { MessageDetails } from "../../../src/job/model/message-details.ts";
import { Story } from "../../support/story/story.ts";

function causeOf(tell: (story: Story) => void): PodCause | undefined {
  const story = new Story();
  story.podCreated("a", { activeDeadlineSeconds: 3 });
  story.podStarted("a");
  story.after(10);
  tell(story);
  return causeOfTaking(story.pod("a"), story.clusterContext);
}

const disrupted = (reason: string, details?: MessageDetails) => (story: Story) => {
  story.podDisrupted("a", reason, details && { details });
  story.podTerminated("a", "Failed");
};
const failed =
  (reason: string, more: object = {}) =>
  (story: Story) =>
    story.podTerminated("a", "Failed", { reason, ...more });
const eviction = (ownLimit: boolean) => ({
  details: { about: "eviction", resource: "memory", ...(ownLimit && { ownLimit: true }) },
});
const node = "node-a";
const refused = (reason: string, resource?: string) =>
  ({ cause: "refusedByNode", reason, ...(resource !== undefined && { resource }), node, hadRun: true }) as const;

describe("what took a Pod away", () => {
  it.each<[string, (story: Story) => void, PodCause | undefined]>([
    ["a preemption", disrupted("PreemptionByScheduler"), { cause: "preempted", node }],
    [
      "a preemption for a PodGroup",
      disrupted("PreemptionByScheduler", { about: "preemptor", kind: "PodGroup" }),
      { cause: "preempted", by: "PodGroup", node },
    ],
    ["a preemption, of an alpha server", disrupted("PreemptionByKubeScheduler"), { cause: "preempted", node }],
    ["the eviction API", disrupted("EvictionByEvictionAPI"), { cause: "evicted", by: "evictionApi", node }],
    ["a taint", disrupted("DeletionByTaintManager"), { cause: "evicted", by: "taint", node }],
    ["Pod GC after its node", disrupted("DeletionByPodGC"), { cause: "nodeLost", node }],
    ["the kubelet", disrupted("TerminationByKubelet"), { cause: "evicted", by: "nodePressure", node }],
    ["a disruption of a new kind", disrupted("ByAnythingNew"), { cause: "evicted", by: "unknown", node }],
    [
      "a taint of a node that is silent",
      (s) => (s.node(node, "Unknown"), s.podDisrupted("a", "DeletionByTaintManager"), s.podTerminated("a", "Failed")),
      { cause: "nodeLost", node },
    ],
    [
      "nothing, where the condition came after the end",
      (s) => (s.podTerminated("a", "Failed"), s.podDisrupted("a", "EvictionByEvictionAPI")),
      undefined,
    ],
    [
      "node pressure",
      failed("Evicted", eviction(false)),
      { cause: "evicted", by: "nodePressure", resource: "memory", node, withoutCondition: true },
    ],
    [
      "its own limit",
      failed("Evicted", eviction(true)),
      { cause: "evicted", by: "ownLimit", resource: "memory", node },
    ],
    ["a taint of a device", disrupted("DeletionByDeviceTaintManager"), { cause: "evicted", by: "deviceTaint", node }],
    ["a refusal for a device", failed("OutOfnvidia.com/gpu"), refused("OutOfnvidia.com/gpu", "nvidia.com/gpu")],
    ["nothing, where another controller gave a reason to a Pod that ran", failed("ByAnythingNew"), undefined],
    ["a preemption by the kubelet", failed("Preempting"), { cause: "preempted", node }],
    ["a shutdown of the node", failed("Terminated"), { cause: "evicted", by: "nodeShutdown", node }],
    ["the loss of the node, of an old server", failed("NodeLost"), { cause: "nodeLost", node }],
    ["its own deadline", failed("DeadlineExceeded"), { cause: "podDeadline", seconds: 3 }],
    [
      "a refusal by the kubelet after it had run",
      failed("OutOfcpu", eviction(false)),
      { cause: "refusedByNode", reason: "OutOfcpu", resource: "memory", node, hadRun: true },
    ],
    [
      "its node, where its containers still ran",
      (s) => {
        s.node(node, "Unknown");
        s.podDeletionRequested("a", "Running");
        s.podTerminated("a", "Failed", { stillRunning: ["work"] });
      },
      { cause: "nodeLost", node },
    ],
    [
      "its node, which is gone",
      (s) => (s.nodeDeleted(node), s.podDeletionRequested("a", "Running"), s.podDeleted("a")),
      { cause: "nodeLost", node },
    ],
    ["nothing", (s) => s.podTerminated("a", "Failed"), undefined],
  ])("%s", (_, tell, cause) => {
    expect(causeOf(tell)).toEqual(cause);
  });
});

function neverRan(tell: (story: Story) => void): PodCause | undefined {
  const story = new Story();
  story.podCreated("a");
  story.podObserved("a", { phase: "Pending" });
  story.facts.push({ ...story.podStamp("a"), kind: "PodScheduled", node });
  tell(story);
  return causeOfTaking(story.pod("a"), story.clusterContext);
}

describe("a Pod that never ran", () => {
  it("was refused by the kubelet, whatever the reason", () => {
    expect(neverRan(failed("SysctlForbidden"))).toEqual({ ...refused("SysctlForbidden"), hadRun: false });
  });

  it("was not refused without a reason", () => {
    expect(neverRan((s) => s.podTerminated("a", "Failed"))).toBeUndefined();
  });

  it("is not said to have an unknown outcome when its node is lost", () => {
    expect(neverRan(disrupted("DeletionByPodGC"))).toEqual({ cause: "nodeLost", node, neverRan: true });
  });
});

describe("a Pod that the kubelet refused after it had run", () => {
  it.each([
    "NodeAffinity",
    "NodeName",
    "NodePorts",
    "NodeResources",
    "Taint/toleration",
    "TaintToleration",
    "AppArmor",
    "UnexpectedAdmissionError",
    "TopologyAffinityError",
    "SMTAlignmentError",
    "InvalidNodeInfo",
    "PodOSNotSupported",
    "PodOSSelectorNodeLabelDoesNotMatch",
  ])("is known by its reason %s", (reason) => {
    expect(causeOf(failed(reason))).toEqual(refused(reason));
  });
});

describe("a shutdown of the node", () => {
  it.each(["Terminated", "NodeShutdown", "Shutdown"])("is known by the reason %s of any release", (reason) => {
    expect(causeOf(failed(reason))).toEqual({ cause: "evicted", by: "nodeShutdown", node });
  });

  it("is known by that reason beside the condition, too", () => {
    const cause = causeOf((s) => (s.podDisrupted("a", "TerminationByKubelet"), failed("Terminated")(s)));
    expect(cause).toEqual({ cause: "evicted", by: "nodeShutdown", node });
  });
});

describe("an eviction by the kubelet", () => {
  it("can be ignored by a policy where the Pod has the condition", () => {
    const cause = causeOf((s) => (s.podDisrupted("a", "TerminationByKubelet"), failed("Evicted")(s)));
    expect(cause).toEqual({ cause: "evicted", by: "nodePressure", node });
  });

  it("has no resource where the message names none", () => {
    expect(causeOf(failed("Evicted"))).toEqual({ cause: "evicted", by: "nodePressure", node, withoutCondition: true });
  });
});

describe("a condition from the version that shows the end", () => {
  it("is the reason of the end", () => {
    const cause = causeOf((s) =>
      s.inOneEvent(() => (s.podTerminated("a", "Failed"), s.podDisrupted("a", "EvictionByEvictionAPI"))),
    );
    expect(cause).toEqual({ cause: "evicted", by: "evictionApi", node });
  });
});

describe("the loss of a node", () => {
  const silent = (story: Story) => story.node(node, "Unknown");
  const lost: PodCause = { cause: "nodeLost", node };

  it.each<[string, (story: Story) => void, PodCause | undefined]>([
    ["ended a Pod that was deleted while the node was silent", (s) => (silent(s), s.podDeleted("a")), lost],
    ["ended a Pod that vanished while the node was silent", (s) => (silent(s), s.podVanished("a")), lost],
    ["ended no Pod that was gone before", (s) => (s.podDeleted("a"), s.after(5), silent(s)), undefined],
    ["ended no Pod of a node that was ready again", (s) => (silentFor(5)(s), s.podDeleted("a")), undefined],
    ["ended no Pod that still runs", silent, undefined],
    [
      "ended no Pod whose containers had all ended",
      (s) => (silent(s), s.podDeletionRequested("a", "Running"), s.podTerminated("a", "Failed")),
      undefined,
    ],
    [
      "ended a Pod that was evicted for the taint, though its deletion was requested before the end",
      (s) => {
        silent(s);
        s.podDeletionRequested("a", "Running", { graceSeconds: 30 });
        s.after(60);
        s.node(node, "True");
        disrupted("DeletionByTaintManager")(s);
      },
      lost,
    ],
  ])("%s", (_, tell, cause) => {
    expect(causeOf(tell)).toEqual(cause);
  });

  function silentFor(seconds: number) {
    return (story: Story) => {
      silent(story);
      story.after(seconds);
      story.node(node, "True");
      story.after(seconds);
    };
  }
});

function unobserved(tell: (story: Story) => void): PodCause | undefined {
  const story = new Story();
  story.podTracked("a");
  tell(story);
  return causeOfTaking(story.pod("a"), story.clusterContext);
}

describe("a Pod whose node and deadline were not observed", () => {
  it.each<[string, (story: Story) => void, PodCause | undefined]>([
    [
      "was evicted from no node that is known",
      disrupted("EvictionByEvictionAPI"),
      { cause: "evicted", by: "evictionApi" },
    ],
    ["exceeded a deadline of unknown length", failed("DeadlineExceeded"), { cause: "podDeadline" }],
    ["was not refused by a kubelet, because it has no node", failed("ByAnythingNew"), undefined],
  ])("%s", (_, tell, cause) => {
    expect(unobserved(tell)).toEqual(cause);
  });
});
