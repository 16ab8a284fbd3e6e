import { describe, expect, it } from "vitest";
import { encodeFacts } from "../../../src/segment/fact-list.ts";
import { added, deleted, factsOf, kindsOf, toldOf } from "../../support/kubernetes/watch-objects.ts";

const node = ({
  spec = {},
  labels = {},
  conditions = [ready("True", "KubeletReady")],
}: {
  spec?: object;
  labels?: object;
  conditions?: readonly object[];
} = {}) => ({
  kind: "Node",
  apiVersion: "v1",
  metadata: { name: "node-a", uid: "n1", resourceVersion: "40", creationTimestamp: "2026-11-21T08:00:00Z", labels },
  spec,
  status: { conditions },
});
function ready(status: string, reason: string) {
  return {
    type: "Ready",
    status,
    reason,
    lastTransitionTime: "2026-11-21T08:10:00Z",
    lastHeartbeatTime: "2026-11-21T09:00:00Z",
  };
}
const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);

describe("a Node", () => {
  it("has the readiness of its Ready condition, since the last transition", () => {
    expect(toldOf("NodeObserved", added(node()))).toEqual([
      { node: "node-a", nodeUid: "n1", ready: "True", since: at("08:10:00"), reason: "KubeletReady" },
    ]);
  });

  it("is cordoned and tainted as in its spec", () => {
    const spec = {
      unschedulable: true,
      taints: [
        { key: "node.kubernetes.io/unreachable", effect: "NoExecute" },
        { key: "gpu", value: "a100", effect: "NoSchedule" },
      ],
    };
    expect(
      toldOf("NodeObserved", added(node({ spec, conditions: [ready("Unknown", "NodeStatusUnknown")] })))[0],
    ).toMatchObject({
      ready: "Unknown",
      unschedulable: true,
      taints: ["node.kubernetes.io/unreachable:NoExecute", "gpu=a100:NoSchedule"],
    });
  });

  it("has its lifecycle conditions, True or False, where it has any", () => {
    const drain = {
      type: "DrainInProgress",
      status: "False",
      reason: "Done",
      lastTransitionTime: "2026-11-21T08:40:00Z",
    };
    const drained = { type: "Drained", status: "True", lastTransitionTime: "2026-11-21T08:40:00Z" };
    const undecided = { type: "MaintenancePlanned", status: "Unknown", lastTransitionTime: "2026-11-21T08:40:00Z" };
    const undated = { type: "MaintenanceInProgress", status: "True" };
    const conditions = [drained, ready("True", "KubeletReady"), drain, undecided, undated];
    expect(toldOf("NodeObserved", added(node({ conditions })))[0]?.lifecycle).toEqual([
      { type: "DrainInProgress", status: "False", since: at("08:40:00"), reason: "Done" },
      { type: "Drained", status: "True", since: at("08:40:00") },
    ]);
    expect(toldOf("NodeObserved", added(node()))[0]).not.toHaveProperty("lifecycle");
  });

  it("is of unknown readiness from its creation where it has no such condition yet", () => {
    expect(toldOf("NodeObserved", added(node({ conditions: [] })))).toEqual([
      { node: "node-a", nodeUid: "n1", ready: "Unknown", since: at("08:00:00") },
    ]);
  });

  it("has the labels that set a price, and when it was created", () => {
    const labels = {
      "node.kubernetes.io/instance-type": "m7i.4xlarge",
      "karpenter.sh/capacity-type": "spot",
      "kubernetes.io/hostname": "secret-host",
      team: "blue",
    };
    expect(toldOf("NodeObserved", added(node({ labels })))[0]).toMatchObject({
      labels: { "node.kubernetes.io/instance-type": "m7i.4xlarge", "karpenter.sh/capacity-type": "spot" },
      createdAt: at("08:00:00"),
    });
    expect(JSON.stringify(toldOf("NodeObserved", added(node({ labels }))))).not.toMatch(/secret-host|blue/);
  });

  it.each([
    ["none of them", { team: "blue" }],
    ["values of another type", { "kubernetes.io/arch": 7, "kubernetes.io/os": "" }],
  ])("has no labels if it has %s", (_, labels) => {
    const [told] = toldOf("NodeObserved", added(node({ labels })));
    expect(Object.keys(told ?? {})).toEqual(["node", "nodeUid", "ready", "since", "reason"]);
  });

  it("states the same facts for two exporters, whatever the order of its labels", () => {
    const labels = { "kubernetes.io/arch": "arm64", "topology.kubernetes.io/zone": "z" };
    const reversed = Object.fromEntries(Object.entries(labels).toReversed());
    const [one, other] = [labels, reversed].map((of) => encodeFacts(factsOf(added(node({ labels: of })))));
    expect(one).toEqual(other);
  });

  it("is deleted, having stood somehow to the last", () => {
    expect(kindsOf(deleted(node()))).toEqual(["NodeObserved", "NodeDeleted"]);
  });
});
