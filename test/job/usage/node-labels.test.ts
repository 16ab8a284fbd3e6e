import { describe, expect, it } from "vitest";
import { joinNodeFact } from "../../../src/job/model/cluster-fold.ts";
import type { NodeObserved } from "../../../src/job/model/fact.ts";
import { isNodeLabel, nodeLabelsAt } from "../../../src/job/usage/node-labels.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";

const ZONE = "topology.kubernetes.io/zone";
const CAPACITY = "karpenter.sh/capacity-type";

function labelled(...facts: readonly NodeObserved[]) {
  return facts.reduce(joinNodeFact, { node: "n", stands: [], deleted: [] }).labelled;
}

describe("the labels of a Node", () => {
  const first = labelledNode("n", { [CAPACITY]: "spot" }, { version: 1, nodeUid: "a", createdAt: 100 });
  const grown = labelledNode("n", { [CAPACITY]: "spot", [ZONE]: "z" }, { version: 2, nodeUid: "a", createdAt: 100 });
  const second = labelledNode("n", { [CAPACITY]: "reserved" }, { version: 3, nodeUid: "b", createdAt: 200 });

  it("are those that its object last had, at any time of the object", () => {
    for (const at of [100, 199]) {
      expect(nodeLabelsAt(labelled(first, grown), at)).toEqual({ [CAPACITY]: "spot", [ZONE]: "z" });
      expect(nodeLabelsAt(labelled(second, grown, first), at)).toEqual({ [CAPACITY]: "spot", [ZONE]: "z" });
    }
  });

  it("are those of the object that existed then, of several with one name", () => {
    expect(nodeLabelsAt(labelled(first, second), 200)).toEqual({ [CAPACITY]: "reserved" });
    expect(nodeLabelsAt(labelled(first, second), 199)).toEqual({ [CAPACITY]: "spot" });
  });

  it("are unknown before the first object that was observed, and without one", () => {
    expect(nodeLabelsAt(labelled(first), 99)).toBeUndefined();
    expect(nodeLabelsAt(undefined, 100)).toBeUndefined();
  });
});

describe("a label of Nodes", () => {
  it.each([ZONE, CAPACITY, "nvidia.com/gpu.product"])("can set a price: %s", (key) => {
    expect(isNodeLabel(key)).toBe(true);
  });

  it.each(["kubernetes.io/hostname", "team", "constructor"])("is not recorded: %s", (key) => {
    expect(isNodeLabel(key)).toBe(false);
  });
});
