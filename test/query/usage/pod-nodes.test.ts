import { describe, expect, it } from "vitest";
import type { PodRecord } from "../../../src/job/model/pod-record.ts";
import { readJob } from "../../../src/projection/job-state/read-job.ts";
import { PodNodes } from "../../../src/query/usage/pod-nodes.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

const EAST = clusterNamed("east");
const SPOT = { "karpenter.sh/capacity-type": "spot", "kubernetes.io/arch": "amd64" };

describe("the Nodes of Pods", async () => {
  const story = new Story();
  story.jobCreated();
  for (let n = 0; n < 250; n += 1) {
    story.podCreated(`p${n}`);
    story.podStarted(`p${n}`, n % 2 === 0 ? "spot-node" : "unlabelled");
  }
  story.podCreated("pending");
  const gone = labelledNode("spot-node", SPOT);
  const { labels: _, createdAt: __, ...unlabelled } = labelledNode("unlabelled", {});
  const deleted = { ...gone, kind: "NodeDeleted", node: "spot-node", nodeUid: gone.nodeUid } as const;
  const { epoch, resourceVersion, at, kind, node, nodeUid } = deleted;
  const facts = [gone, unlabelled, { epoch, resourceVersion, at, kind, node, nodeUid }, ...story.facts];
  const { projections, meta } = await storesWithFacts(facts, 50);
  const view = await readJob(projections.open("A"), { cluster: EAST, jobUid: story.jobUid });
  if (view === undefined) throw new Error("The Job is not stored.");

  async function partsOf(nodes: PodNodes): Promise<readonly [PodRecord, unknown][]> {
    const parts: [PodRecord, unknown][] = [];
    for await (const pod of nodes.read(EAST, view ?? expect.fail()).ownPods()) {
      parts.push([pod, nodes.partOf(EAST, pod).labels]);
    }
    return parts;
  }

  it("have the wanted labels, also when the Node is deleted; those of others are unknown", async () => {
    const parts = await partsOf(new PodNodes(meta, ["karpenter.sh/capacity-type"]));
    expect(parts).toHaveLength(251);
    for (const [pod, labels] of parts) {
      const isSpot = pod.scheduled?.node === "spot-node";
      expect(labels).toEqual(isSpot ? { "karpenter.sh/capacity-type": "spot" } : undefined);
    }
  });

  it("are read once each", async () => {
    let reads = 0;
    const read: typeof meta.read = (...args) => {
      reads += 1;
      return meta.read(...args);
    };
    const nodes = new PodNodes({ ...meta, read }, ["kubernetes.io/arch"]);
    await Promise.all([partsOf(nodes), partsOf(nodes)]);
    expect(reads).toBe(2);
  });
});
