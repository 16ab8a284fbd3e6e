import type { NodeUnreachable } from "../../../src/explain/findings/node-unreachable.ts";
import { findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";
import { AT, evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

function onSilentNode(tell: (story: Story) => void): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  story.node("node-a", "Unknown");
  tell(story);
  story.after(60);
  return story;
}

describe("a Pod on a silent node", () => {
  it("is named with its node, since when", () => {
    const found = findingOf(
      onSilentNode(() => undefined),
      "NodeUnreachable",
    );
    expect(namesIn(found)).toEqual(["render-a"]);
    expect(found).toMatchObject({ since: "2026-01-01T00:00:10Z", podCount: 1 });
    expect(found?.evidence.map(({ detail }) => detail)).toEqual([
      "was last seen in phase Running",
      "became unreachable (NodeStatusUnknown)",
    ]);
  });

  it.each<[string, (story: Story) => void]>([
    ["whose node is back", (s) => (s.after(5), s.node("node-a", "True", "KubeletReady"))],
    ["that has ended", (s) => (s.containerEnded("a", 0, 10), s.podTerminated("a", "Succeeded", { tracked: true }))],
    ["that is gone", (s) => s.podDeleted("a", true)],
    ["of another node", (s) => (s.after(1), s.node("node-a", "True"), s.node("node-b", "Unknown"))],
  ])("is none %s", (_, tell) => {
    expect(kindsOf(onSilentNode(tell))).not.toContain("NodeUnreachable");
  });

  it("may be on a node that is gone", () => {
    const story = onSilentNode((s) => s.nodeDeleted("node-a"));
    expect(findingOf(story, "NodeUnreachable")?.message).toContain("whose node node-a is gone");
  });
});

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
