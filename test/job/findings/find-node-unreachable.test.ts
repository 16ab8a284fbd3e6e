import { describe, expect, it } from "vitest";
import { findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";
import { tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";

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
