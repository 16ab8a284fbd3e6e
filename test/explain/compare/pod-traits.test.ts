import { describe, expect, it } from "vitest";
import { type PodTraits, PodTraitSearch } from "../../../src/explain/compare/pod-traits.ts";
import { recordRules } from "../../../src/explain/derived-job.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";
import { Story } from "../../support/story/story.ts";

function traitsOf({ record, clusterContext }: Story): PodTraits {
  const nodes = ["node-a", "node-b"].map((name) => {
    const labelled = [labelledNode(name, { "topology.kubernetes.io/zone": `zone-of-${name}` })];
    return [name, { node: name, stands: [], deleted: [], labelled }] as const;
  });
  const context = { ...clusterContext, nodes: new Map(nodes) };
  const search = new PodTraitSearch({
    job: record.job,
    clusterContext: context,
    rules: recordRules(record, context),
  });
  for (const pod of record.pods.values()) search.visit(pod);
  return search.found();
}

describe("the traits of Pods", () => {
  it("are those of all of them", () => {
    const story = new Story();
    story.jobCreated({ backoffLimit: 1 });
    story.podFails("a", 1, 20);
    story.podCreated("b");
    story.after(10);
    story.podStarted("b", "node-b");
    story.podReserved("b", { cpu: "2" });
    story.after(60);
    story.containerEnded("b", 0, 60);
    story.podTerminated("b", "Succeeded");
    const traits = traitsOf(story);
    expect(traits).toMatchObject({ pods: 2, restarts: 0, startedAt: story.second(0), attempt: 60_000 });
    expect([traits.nodes, traits.exits, traits.categories].map((set) => [...set])).toEqual([
      ["node-a", "node-b"],
      ["1", "0"],
      ["application"],
    ]);
    expect(traits.nodeLabels.get("topology.kubernetes.io/zone")).toEqual(new Set(["zone-of-node-a", "zone-of-node-b"]));
  });

  it("have the last request of a Pod, and the longest start", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.facts.push({ ...story.podStamp("a"), kind: "PodScheduled", node: "node-a", scheduledAt: story.now });
    story.podReserved("a", { cpu: "1" });
    story.after(30);
    story.facts.push({ ...story.podStamp("a"), kind: "PodStarted", startedAt: story.now });
    story.podReserved("a", { cpu: "2" });
    const traits = traitsOf(story);
    expect(traits.requests).toEqual(new Map([["cpu", new Set(["2"])]]));
    expect([traits.startUp, traits.attempt]).toEqual([30_000, undefined]);
  });

  it("of no Pod are empty", () => {
    const story = new Story();
    story.jobCreated();
    expect(traitsOf(story)).toMatchObject({ pods: 0, nodes: new Set(), startedAt: undefined });
  });
});
