import { describe, expect, it } from "vitest";
import { NodeTallies } from "../../../src/query/nodes/node-tallies.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { listedJob, rowOf } from "../../support/story/listed-job.ts";
import { Story } from "../../support/story/story.ts";

const PLACE = { ...rowOf(listedJob()), jobUid: new Story().jobUid };

/** Pods that ended on a node, of which some failed. */
function add(tallies: NodeTallies, { node, cluster = "east" }: { node: string; cluster?: string }, ...exits: number[]) {
  const story = new Story();
  for (const [n, exitCode] of exits.entries()) {
    const pod = `pod-${n}`;
    story.podCreated(pod);
    story.podStarted(pod, node);
    story.podTerminated(pod, exitCode === 0 ? "Succeeded" : "Failed");
    const category = exitCode === 137 ? "oom" : "application";
    tallies.add({ ...PLACE, cluster: clusterNamed(cluster) }, story.pod(pod), () => category);
  }
}

describe("the tallies of nodes", () => {
  it("tell nodes of one name in two clusters apart, and name the category of most failures", () => {
    const tallies = new NodeTallies();
    add(tallies, { node: "a" }, 1, 137, 137, 0);
    add(tallies, { node: "a", cluster: "west" }, 0, 1);
    const { items, pods, failed, nodes } = tallies.answer(10);
    expect([pods, failed, nodes]).toEqual([6, 4, 2]);
    expect(items.map(({ cluster, pods: own, failed: bad, category }) => [cluster, own, bad, category])).toEqual([
      ["east", 4, 3, "oom"],
      ["west", 2, 1, "application"],
    ]);
  });

  it("call no node worse that has no others to compare with", () => {
    const tallies = new NodeTallies();
    add(tallies, { node: "a" }, ...Array.from({ length: 50 }, () => 1));
    expect(tallies.answer(10).items).toMatchObject([{ failedShare: 1, othersFailedShare: 0, worse: false }]);
  });

  it("count Pods that were lost, and leave out those that were deleted by others", () => {
    const tallies = new NodeTallies();
    const story = new Story();
    for (const pod of ["a", "b"]) {
      story.podCreated(pod);
      story.podStarted(pod, "node-a");
      story.podDeleted(pod);
    }
    const row = { ...PLACE, cluster: clusterNamed("east") };
    tallies.add(row, story.pod("a"), () => "node-lost");
    tallies.add(row, story.pod("b"), () => "deleted");
    expect(tallies.answer(10)).toMatchObject({ pods: 1, failed: 1, items: [{ category: "node-lost" }] });
  });

  it("leave out Pods that have not ended or had no node", () => {
    const tallies = new NodeTallies();
    const story = new Story();
    story.podCreated("a");
    story.podStarted("a", "node-a");
    story.podCreated("b");
    story.podTerminated("b", "Failed");
    for (const pod of ["a", "b"]) {
      tallies.add({ ...PLACE, cluster: clusterNamed("east") }, story.pod(pod), () => "application");
    }
    expect(tallies.answer(10)).toEqual({ pods: 0, failed: 0, items: [], nodes: 0 });
  });
});
