import { describe, expect, it } from "vitest";
import type { Fact } from "../../../src/job/model/fact.ts";
import { datedAt, instantOf } from "../../../src/job/model/fact-instant.ts";
import { eventAbout } from "../../support/story/event-about.ts";
import { Story } from "../../support/story/story.ts";

const OBSERVED_LATER = 5_000;

/** The facts of a story, each observed some seconds after the instant that its object names, if it names one. */
function factsOf(tell: (story: Story) => void): readonly Fact[] {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  const before = story.facts.length;
  tell(story);
  const hints = [...story.clusterContext.hints.values()].flat();
  const nodes = [...story.clusterContext.nodes.values()].flatMap(({ stands, deleted }) => [...stands, ...deleted]);
  const around = [...hints, ...nodes, ...story.clusterContext.gaps];
  return [...story.facts.slice(before), ...around].map((fact) => ({ ...fact, at: fact.at + OBSERVED_LATER }));
}

describe("the instant of a fact", () => {
  it.each<[Fact["kind"], (story: Story) => void]>([
    ["JobCreated", (s) => s.jobCreated()],
    ["JobFinished", (s) => s.jobFinished("Failed")],
    ["JobDeletionRequested", (s) => s.jobDeletionRequested()],
    ["PodCreated", (s) => s.podCreated("b")],
    ["PodScheduled", (s) => s.podStarted("a")],
    ["PodStarted", (s) => s.podStarted("a")],
    ["ContainerEnded", (s) => s.containerEnded("a", 0, 1)],
    ["PodDisrupted", (s) => s.podDisrupted("a", "EvictionByEvictionAPI")],
    ["PodDeletionRequested", (s) => s.podDeletionRequested("a", "Running")],
    ["NodeObserved", (s) => s.node("node-a", "False")],
    ["EventHinted", (s) => eventAbout(s, "a", { reason: "Killing", firstAt: s.now - 60_000 })],
    ["RequestHinted", (s) => s.requested("Job", "alice")],
  ])("%s is the one that the object names", (kind, tell) => {
    const fact = factsOf(tell).find((one) => one.kind === kind);
    expect(fact && datedAt(fact)).toBe(new Story().now);
    expect(fact && instantOf(fact)).toBe(new Story().now);
  });

  it.each<[Fact["kind"], (story: Story) => void]>([
    ["JobSpecified", (s) => s.jobSpecified()],
    ["JobReported", (s) => s.jobReported({})],
    ["JobTracked", (s) => s.jobTracked()],
    ["JobUntracked", (s) => s.jobUntracked()],
    ["JobDeleted", (s) => s.jobDeleted()],
    ["PodTracked", (s) => s.podTracked("a")],
    ["PodUntracked", (s) => s.podUntracked("a")],
    ["PodObserved", (s) => s.podObserved("a")],
    ["PodTerminated", (s) => s.podTerminated("a", "Failed")],
    ["PodDeleted", (s) => s.podDeleted("a")],
    ["PodVanished", (s) => s.podVanished("a")],
    ["NodeDeleted", (s) => s.nodeDeleted("node-a")],
  ])("%s is the one of its observation, because the object names none", (kind, tell) => {
    const fact = factsOf(tell).find((one) => one.kind === kind);
    expect(fact && datedAt(fact)).toBeUndefined();
    expect(fact && instantOf(fact)).toBe(new Story().now + OBSERVED_LATER);
  });
});
