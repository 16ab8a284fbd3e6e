import { describe, expect, it } from "vitest";
import { nodeGone, nodeUnready, taintEvent } from "../../../src/job/attribution/pod-deletion-by-node.ts";
import { deletionCaseOf } from "../../support/story/deletion-case.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

function running(tell: (story: Story) => void, isTracked = false): Story {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  if (isTracked) story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  tell(story);
  return story;
}

const deleted = (graceSeconds: number) => (s: Story) =>
  s.podDeletionRequested("a", "Running", { tracked: true, graceSeconds });

describe("the deletion of a Pod whose node is gone", () => {
  it.each<[string, Story, string | undefined]>([
    ["is likely of Pod GC", running((s) => (s.nodeDeleted("node-a"), deleted(0)(s))), "likely"],
    [
      "is possibly of Pod GC on servers that write a condition",
      running((s) => (s.nodeDeleted("node-a"), deleted(0)(s)), true),
      "possible",
    ],
    ["is of another client with a grace period", running((s) => (s.nodeDeleted("node-a"), deleted(30)(s))), undefined],
    [
      "is of another client before the node went",
      running((s) => (deleted(0)(s), s.after(5), s.nodeDeleted("node-a"))),
      undefined,
    ],
  ])("%s", (_, story, confidence) => {
    expect(nodeGone(deletionCaseOf(story))?.confidence).toBe(confidence);
  });
});

describe("the deletion of a Pod whose node is not ready", () => {
  it.each<[string, (story: Story) => void, string | undefined]>([
    ["is of the node controller", (s) => (s.node("node-a", "Unknown"), deleted(30)(s)), "node-controller"],
    ["is not, while the node is ready", (s) => (s.node("node-a", "True"), deleted(30)(s)), undefined],
    [
      "is not, where its condition came after the deletion",
      (s) => (s.node("node-a", "Unknown"), deleted(30)(s), s.podDisrupted("a", "DeletionByTaintManager")),
      undefined,
    ],
  ])("%s", (_, tell, actor) => {
    expect(nodeUnready(deletionCaseOf(running(tell)))?.actor).toBe(actor);
  });
});

describe("the Event TaintManagerEviction", () => {
  it.each<[string, object, boolean]>([
    ["announces the deletion", {}, true],
    ["may cancel it", { message: "Cancelling deletion of Pod default/render-a" }, false],
    [
      "may be about another Pod of the name",
      { target: { kind: "Pod", namespace: "default", name: "render-a", uid: "other" } },
      false,
    ],
  ])("%s", (_, more, isFound) => {
    const story = running((s) => {
      eventAbout(s, "a", { reason: "TaintManagerEviction", ...more });
      s.after(1);
      deleted(30)(s);
    });
    expect(taintEvent(deletionCaseOf(story)) !== undefined).toBe(isFound);
  });
});

describe("the evidence for a Pod that was taken from its node", () => {
  const deletion = { what: "podDeletion" };
  const readiness = { ready: "Unknown", reason: "NodeStatusUnknown" };

  it("is the deletion of the Node", () => {
    const found = nodeGone(deletionCaseOf(running((s) => (s.nodeDeleted("node-a"), deleted(0)(s)))));
    expect(found).toMatchObject({ actor: "pod-garbage-collector", cause: { cause: "nodeGone" } });
    expect(found?.evidence.map(({ shows }) => shows)).toEqual([{ what: "nodeGone" }, deletion]);
  });

  it("is the readiness of the Node, with its reason", () => {
    const found = nodeUnready(deletionCaseOf(running((s) => (s.node("node-a", "Unknown"), deleted(30)(s)))));
    expect(found).toMatchObject({ cause: { cause: "nodeUnready", readiness }, confidence: "likely" });
    expect(found?.evidence.map(({ shows }) => shows)).toEqual([{ what: "nodeUnready", readiness }, deletion]);
  });

  it("is the Event of the taint manager", () => {
    const story = running((s) => {
      eventAbout(s, "a", { reason: "TaintManagerEviction" });
      s.after(1);
      deleted(30)(s);
    });
    const found = taintEvent(deletionCaseOf(story));
    expect(found).toMatchObject({ actor: "node-controller", cause: { cause: "taint" }, confidence: "likely" });
    expect(found?.evidence.map(({ shows }) => shows)).toEqual([{ what: "taintManagerEvent" }, deletion]);
  });

  it("is missing for a Pod that had no node, or had ended", () => {
    const unscheduled = new Story();
    unscheduled.jobCreated();
    unscheduled.podCreated("a");
    unscheduled.node("node-a", "Unknown");
    unscheduled.podDeletionRequested("a", "Pending");
    const ended = running((s) => {
      s.podTerminated("a", "Succeeded");
      s.nodeDeleted("node-a");
      s.node("node-a", "Unknown");
      deleted(0)(s);
    });
    for (const story of [unscheduled, ended]) {
      expect(nodeUnready(deletionCaseOf(story))).toBeUndefined();
      expect(nodeGone(deletionCaseOf(story))).toBeUndefined();
    }
  });
});
