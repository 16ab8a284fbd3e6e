import { describe, expect, it } from "vitest";
import { goneBy, silenceOf, unreadyBetween } from "../../../src/job/model/node-readiness.ts";
import { Story } from "../../support/story/story.ts";

/** A Node that is ready at second 0, not ready at 10, and ready again at 20. */
function flapping(): Story {
  const story = new Story();
  story.node("node-a", "True");
  story.after(10);
  story.node("node-a", "Unknown");
  story.after(10);
  story.node("node-a", "True");
  return story;
}

describe("a Node", () => {
  it("is not known to be silent if it was never observed", () => {
    expect(silenceOf("node-a", new Story().clusterContext)).toBeUndefined();
    expect(silenceOf(undefined, flapping().clusterContext)).toBeUndefined();
  });

  it("is not silent while it is ready", () => {
    expect(silenceOf("node-a", flapping().clusterContext)).toBeUndefined();
  });

  it.each(["False", "Unknown"] as const)("is silent while its Ready condition is %s", (ready) => {
    const story = flapping();
    story.after(10);
    story.node("node-a", ready);
    expect(silenceOf("node-a", story.clusterContext)).toMatchObject({ silence: "notReady", since: story.now });
  });

  it("is silent after its object was deleted", () => {
    const story = flapping();
    story.nodeDeleted("node-a");
    expect(silenceOf("node-a", story.clusterContext)).toMatchObject({ silence: "gone", since: story.now });
  });

  it("is not silent if a Node of the same name was created later", () => {
    const story = flapping();
    story.nodeDeleted("node-a");
    story.after(10);
    story.node("node-a", "True");
    expect(silenceOf("node-a", story.clusterContext)).toBeUndefined();
  });
});

describe("a Node that was not ready from second 10 to 20", () => {
  it.each([
    [0, 9, false],
    [0, 10, true],
    [12, 15, true],
    [20, 30, true],
    [21, 30, false],
  ])("was not ready between second %i and %i: %s", (from, to, expected) => {
    const story = flapping();
    const span = { from: story.second(from), to: story.second(to) };
    expect(unreadyBetween("node-a", span, story.clusterContext) !== undefined).toBe(expected);
  });

  it("was not ready, in whatever order its states were stored", () => {
    const { clusterContext } = flapping();
    const nodes = new Map(
      [...clusterContext.nodes].map(([name, node]) => [name, { ...node, stands: node.stands.toReversed() }]),
    );
    const [from, to] = [new Story().second(21), new Story().second(30)];
    expect(unreadyBetween("node-a", { from, to }, { ...clusterContext, nodes })).toBeUndefined();
  });

  it("is not confused with another Node", () => {
    const story = flapping();
    const span = { from: story.second(0), to: story.second(30) };
    expect(unreadyBetween("node-b", span, story.clusterContext)).toBeUndefined();
    expect(unreadyBetween(undefined, span, story.clusterContext)).toBeUndefined();
  });
});

describe("a deleted Node", () => {
  it("is gone from the instant of its deletion", () => {
    const story = flapping();
    story.nodeDeleted("node-a");
    expect(goneBy("node-a", story.second(19), story.clusterContext)).toBeUndefined();
    expect(goneBy("node-a", story.second(20), story.clusterContext)).toMatchObject({ kind: "NodeDeleted" });
    expect(goneBy(undefined, story.second(20), story.clusterContext)).toBeUndefined();
  });
});

describe("a Node whose facts arrived in another order", () => {
  it("is silent since its latest state", () => {
    const story = new Story();
    story.node("node-a", "False");
    story.after(10);
    story.node("node-a", "True");
    story.after(10);
    story.node("node-a", "Unknown");
    const nodes = new Map(
      [...story.clusterContext.nodes].map(([name, node]) => [name, { ...node, stands: node.stands.toReversed() }]),
    );
    const silence = silenceOf("node-a", { ...story.clusterContext, nodes });
    expect(silence).toMatchObject({ silence: "notReady", since: story.now, fact: { ready: "Unknown" } });
  });

  it("is gone since the latest of its deletions", () => {
    const story = flapping();
    story.nodeDeleted("node-a");
    story.after(10);
    story.nodeDeleted("node-a");
    const nodes = new Map(
      [...story.clusterContext.nodes].map(([name, node]) => [name, { ...node, deleted: node.deleted.toReversed() }]),
    );
    expect(silenceOf("node-a", story.clusterContext)).toMatchObject({ silence: "gone", since: story.now });
    expect(silenceOf("node-a", { ...story.clusterContext, nodes })?.since).toBe(story.now);
  });

  it("is gone where only its deletion was observed", () => {
    const story = new Story();
    story.nodeDeleted("node-a");
    expect(silenceOf("node-a", story.clusterContext)?.silence).toBe("gone");
  });
});

describe("the last state in which a Node was not ready", () => {
  it("is that of the latest of two such times", () => {
    const story = flapping();
    story.after(10);
    story.node("node-a", "False");
    story.after(10);
    const span = { from: story.second(0), to: story.now };
    expect(unreadyBetween("node-a", span, story.clusterContext)?.since).toBe(story.second(30));
    const before = { from: story.second(0), to: story.second(29) };
    expect(unreadyBetween("node-a", before, story.clusterContext)?.since).toBe(story.second(10));
  });

  it("goes on until another state was observed", () => {
    const story = new Story();
    story.node("node-a", "False");
    const span = { from: story.second(1_000), to: story.second(2_000) };
    expect(unreadyBetween("node-a", span, story.clusterContext)?.since).toBe(story.now);
  });
});
