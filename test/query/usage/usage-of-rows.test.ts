import { describe, expect, it } from "vitest";
import { usageOfRows } from "../../../src/query/usage/usage-of-rows.ts";
import type { UsageGrouping } from "../../../src/query/usage/usage-group.ts";
import type { UsageReport } from "../../../src/query/usage/usage-report.ts";
import { labelledNode } from "../../support/facts/node-facts.ts";
import { Story } from "../../support/story/story.ts";
import { storesWithFacts } from "../../support/stores/stores-with-facts.ts";

/** A Job of which a Pod failed on one node, and another succeeded on a second one. */
function retried(name: string): Story {
  const story = new Story(name);
  story.jobCreated();
  const pods = [
    { pod: "a", node: "node-a", exitCode: 1, seconds: 10 },
    { pod: "b", node: "node-b", exitCode: 0, seconds: 30 },
  ];
  for (const { pod, node, exitCode, seconds } of pods) {
    story.podCreated(pod);
    story.podStarted(pod, node);
    story.podReserved(pod, { "nvidia.com/gpu": "2" });
    story.after(seconds);
    story.containerEnded(pod, exitCode, seconds);
    story.podTerminated(pod, exitCode === 0 ? "Succeeded" : "Failed");
  }
  story.jobFinished("Complete");
  return story;
}

function withoutNodes({ groups, ...report }: UsageReport): UsageReport {
  return { ...report, ...(groups && { groups: groups.map(({ key, usage }) => ({ key, usage })) }) };
}

describe("a report of usage by what Pods show", async () => {
  const stories = [retried("first"), retried("second")];
  const spot = { "karpenter.sh/capacity-type": "spot", "kubernetes.io/arch": "amd64" };
  const nodes = [labelledNode("node-a", spot)];
  const { projections, meta, log } = await storesWithFacts([...nodes, ...stories.flatMap(({ facts }) => facts)]);
  const stores = { jobs: projections.open("A"), meta, log };
  const range = { since: Date.parse("2000-01-01T00:00:00Z"), until: Date.parse("2100-01-01T00:00:00Z") };

  async function by(grouping: UsageGrouping) {
    const { groups = [] } = await usageOfRows(stores, "everything", { filter: {}, by: grouping, ...range });
    return groups.map(({ key, usage: { pods, podSeconds, resources } }) => {
      const { kept, failed } = podSeconds;
      return { key, pods, kept, failed, gpu: resources["nvidia.com/gpu"]?.total };
    });
  }

  it("has the Pods of each node", async () => {
    expect(await by("node")).toEqual([
      { key: "east/node-b", pods: 2, kept: 60, failed: 0, gpu: 120 },
      { key: "east/node-a", pods: 2, kept: 0, failed: 20, gpu: 40 },
    ]);
  });

  it("has the Pods of each category of failure, and the others", async () => {
    expect(await by("category")).toEqual([
      { key: "", pods: 2, kept: 60, failed: 0, gpu: 120 },
      { key: "application", pods: 2, kept: 0, failed: 20, gpu: 40 },
    ]);
  });

  it.each(["run", "node", "hour", undefined] as const)("is divided by the labels of Nodes, by %s", async (grouping) => {
    const query = { filter: {}, ...range, nodeLabels: ["karpenter.sh/capacity-type"] } as const;
    const report = await usageOfRows(stores, "everything", { ...query, by: grouping });
    expect(report.nodes).toMatchObject([
      { usage: { pods: 2, podSeconds: { kept: 60, failed: 0 } } },
      { labels: { "karpenter.sh/capacity-type": "spot" }, usage: { pods: 2, podSeconds: { kept: 0, failed: 20 } } },
    ]);
    expect(report.nodes?.[0]?.labels).toBeUndefined();
    const { nodes: __, ...undivided } = report;
    const same = await usageOfRows(stores, "everything", { filter: {}, ...range, by: grouping });
    expect(withoutNodes(undivided)).toEqual(same);
    for (const { usage, nodes: parts = [] } of report.groups ?? []) {
      expect(parts.reduce((sum, part) => sum + part.usage.podSeconds.total, 0)).toBe(usage.podSeconds.total);
    }
  });

  it("is the same as by Job", async () => {
    expect(await by("run")).toMatchObject([
      { pods: 2, kept: 30, failed: 10, gpu: 80 },
      { pods: 2, kept: 30, failed: 10, gpu: 80 },
    ]);
  });
});
