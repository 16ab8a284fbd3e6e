import { describe, expect, it } from "vitest";
import type { NodeUnreachable } from "../../../src/job/findings/find-node-unreachable.ts";
import { AT, evidenceOf, explained, POD } from "../../support/story/explained.ts";

const unreachable = { gone: false, ready: "Unknown", reason: "NodeStatusUnknown" } as const;
type Silence = NonNullable<NonNullable<NodeUnreachable["pods"]>[number]["silence"]>;

function onNode(state: Silence["state"], podCount = 1): NodeUnreachable {
  const silence = { node: "node-a", since: AT, state };
  return { kind: "NodeUnreachable", podCount, pods: [{ ...POD, silence }], evidence: [] };
}

describe("Pods on a silent node in words", () => {
  it.each<[NodeUnreachable, string]>([
    [
      onNode(unreachable),
      "1 Pod is on a node that is not ready (render-a, whose node node-a is unreachable (NodeStatusUnknown) " +
        "since 2026-01-01T00:00:00Z); the outcome of it is unknown, not failed.",
    ],
    [
      onNode({ gone: true }, 2),
      "2 Pods are on a node that is not ready (render-a, whose node node-a is gone since 2026-01-01T00:00:00Z " +
        "and 1 more); the outcome of these is unknown, not failed.",
    ],
  ])("%#", (finding, message) => {
    expect(explained(finding).message).toBe(message);
  });

  it("show the last phase and the node", () => {
    const evidence = [
      evidenceOf({ what: "lastPhase", phase: "Running" } as const),
      evidenceOf({ what: "nodeSilent", state: unreachable } as const),
      evidenceOf({ what: "nodeSilent", state: { gone: true } } as const),
    ];
    expect(explained({ ...onNode(unreachable), evidence }).details).toEqual([
      "was last seen in phase Running",
      "became unreachable (NodeStatusUnknown)",
      "was gone",
    ]);
  });
});
