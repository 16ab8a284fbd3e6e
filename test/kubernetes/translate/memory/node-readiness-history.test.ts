import { describe, expect, it } from "vitest";
import { NodeReadinessHistory } from "../../../../src/kubernetes/translate/memory/node-readiness-history.ts";
import { labelledNode } from "../../../support/facts/node-facts.ts";

describe("the states of a Node in the log", () => {
  it("are those that differ from the one before, also in a label", () => {
    const history = new NodeReadinessHistory();
    const spot = labelledNode("n", { "karpenter.sh/capacity-type": "spot" });
    const inZone = labelledNode("n", { ...spot.labels, "topology.kubernetes.io/zone": "z" }, { version: 3 });
    const again = { ...spot, resourceVersion: labelledNode("n", {}, { version: 2 }).resourceVersion };
    expect([spot, again, inZone, inZone].map((fact) => history.withoutRepeats([fact]).length)).toEqual([1, 0, 1, 0]);
  });
});
