import { describe, expect, it } from "vitest";
import { failingNodes } from "../../../src/query/nodes/failing-nodes.ts";
import { Story } from "../../support/story/story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

/** Jobs of one Pod each. Most Pods on node-bad fail, one of ten on the others. */
function stories(): readonly Story[] {
  return Array.from({ length: 120 }, (_, n) => {
    const story = new Story(`job-${n}`);
    story.jobCreated();
    const node = n % 4 === 0 ? "node-bad" : `node-${n % 4}`;
    const fails = node === "node-bad" ? n % 40 !== 0 : n % 30 === 1;
    story.podCreated("a");
    story.podStarted("a", node);
    story.containerEnded("a", fails ? 1 : 0, 5);
    story.podTerminated("a", fails ? "Failed" : "Succeeded");
    return story;
  });
}

describe("the nodes on which Pods fail", async () => {
  const { projections, meta, log } = await storesWithFacts(stories().flatMap(({ facts }) => facts));
  const stores = { jobs: projections.open("A"), meta, log };
  const ask = (limit = 10, scope: Parameters<typeof failingNodes>[1] = "everything") =>
    failingNodes(stores, scope, { filter: {}, since: 0, limit });

  it("begin with the one that is worse than the others, and name a Job", async () => {
    const { items, ...all } = await ask();
    expect(all).toMatchObject({ pods: 120, failed: 31, nodes: 4, complete: true });
    expect(items[0]).toMatchObject({
      cluster: "east",
      node: "node-bad",
      pods: 30,
      failed: 27,
      failedShare: 0.9,
      othersFailedShare: 4 / 90,
      worse: true,
      category: "application",
      job: { namespace: "default" },
    });
    expect(items[0]?.failedShareAtLeast).toBeGreaterThan(0.6);
    expect(items.slice(1).map(({ worse }) => worse)).not.toContain(true);
  });

  it("are as many as wanted", async () => {
    expect((await ask(1)).items).toHaveLength(1);
  });

  it("have the Pods of Jobs that the reader may see only", async () => {
    expect(await ask(10, { grants: [{ cluster: "east", namespaces: ["other"] }] })).toMatchObject({
      pods: 0,
      items: [],
    });
  });
});
