import { describe, expect, it } from "vitest";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";
import { Story } from "../../support/story/story.ts";

describe("what Pods reserved, over HTTP", async () => {
  const story = new Story();
  story.jobCreated();
  story.podCreated("a");
  story.podStarted("a", "node-a");
  story.podReserved("a");
  story.after(30);
  story.containerEnded("a", 0, 30);
  story.podTerminated("a", "Succeeded");
  story.jobFinished("Complete");
  const labels = { "karpenter.sh/capacity-type": "spot", "kubernetes.io/arch": "arm64" };
  const stores = await storesWithFacts([labelledNode("node-a", labels), ...story.facts]);

  async function answer(query: string) {
    const response = await inProcessClient(stores, "test").request(`/v1/usage?${query}`);
    const body: unknown = await response.json();
    return { status: response.status, body };
  }

  it.each([
    ["nodeLabels=karpenter.sh/capacity-type", { "karpenter.sh/capacity-type": "spot" }],
    ["nodeLabels=kubernetes.io/arch,karpenter.sh/capacity-type", labels],
    ["nodeLabels=kubernetes.io/arch&nodeLabels=karpenter.sh/capacity-type", labels],
    ["nodeLabels=nvidia.com/gpu.product", {}],
  ])("is divided by labels of Nodes: %s", async (query, expected) => {
    const { body } = await answer(`${query}&by=namespace`);
    const nodes = [{ labels: expected, usage: { pods: 1, podSeconds: { kept: 30 } } }];
    expect(body).toMatchObject({ nodes, groups: [{ key: "default", nodes }] });
  });

  it("is not divided without them", async () => {
    expect((await answer("by=namespace")).body).not.toHaveProperty("nodes");
  });

  it("names the labels that are recorded, if another one is wanted", async () => {
    expect(await answer("nodeLabels=team")).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/"team" is not one of node.kubernetes.io\/instance-type, /) as string },
    });
  });
});
