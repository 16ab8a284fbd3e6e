import { describe, expect, it } from "vitest";
import { MAX_CHAIN, WhyPods } from "../../src/explain/why-pods.ts";
import { podName } from "../../src/job/model/evidence.ts";
import { tracked } from "../support/story/finding-stories.ts";
import type { Story } from "../support/story/story.ts";

function visited(story: Story): WhyPods {
  const { record, clusterContext } = story;
  const pods = new WhyPods(record.job, clusterContext);
  for (const pod of record.pods.values()) pods.visit(pod);
  return pods;
}

describe("the Pods of an explanation", () => {
  it("counts how those ended that did not succeed", () => {
    const story = tracked();
    story.podFails("a", 1, 2, { tracked: true });
    story.podFails("b", 1, 2, { tracked: true });
    story.podFails("c", 7, 2, { tracked: true });
    story.podSucceeds("d", 2, { tracked: true });
    const { unsuccessful, ends } = visited(story);
    expect(unsuccessful.count).toBe(3);
    expect([...ends]).toEqual([
      ["container work exited with code 1", 2],
      ["container work exited with code 7", 1],
    ]);
  });

  it("names Pods that were stopped with the Job", () => {
    const story = tracked({ activeDeadlineSeconds: 10 });
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(10);
    story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 5 });
    story.containerEnded("a", 143, 10);
    story.podTerminated("a", "Failed", { tracked: true });
    story.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
    const pods = visited(story);
    expect(pods.endOf(story.pod("a"))).toBe("deleted because the Job had ended");
    expect(pods.deleted.pods.map(podName)).toEqual(["render-a"]);
  });

  it("shows the ends of succeeded Pods only if the Job was deleted", () => {
    const story = tracked();
    story.podSucceeds("a", 2, { tracked: true });
    expect(visited(story).ended.count).toBe(0);
    story.jobDeleted();
    expect(visited(story).ended.count).toBe(1);
  });

  it("keeps a bounded sample, and counts all", () => {
    const story = tracked({ backoffLimit: 100 });
    for (let pod = 0; pod <= MAX_CHAIN; pod += 1) story.podFails(`p${pod}`, 1, 1, { tracked: true });
    const { ended } = visited(story);
    expect([ended.count, ended.pods.length]).toEqual([MAX_CHAIN + 1, MAX_CHAIN]);
  });
});
