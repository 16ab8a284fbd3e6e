import { describe, expect, it } from "vitest";
import { UnfitNodes } from "../../../src/job/cause/unfit-nodes.ts";
import { Story } from "../../support/story/story.ts";

function isUnfit(tell: (story: Story) => void, node: string | undefined = "node-a"): boolean {
  const story = new Story();
  story.jobCreated();
  tell(story);
  const { record, clusterContext } = story;
  const own = [...record.pods.values()];
  const found = [own, own.toReversed()].map((pods) => {
    const nodes = new UnfitNodes({ job: record.job, clusterContext });
    for (const pod of pods) nodes.visit(pod);
    return nodes.has(node);
  });
  expect(found[0]).toBe(found[1]);
  return found[0] === true;
}

function fails(story: Story, pod: string, node = "node-a"): void {
  story.podCreated(pod);
  story.podStarted(pod, node);
  story.after(10);
  story.podTerminated(pod, "Failed", { reason: "Evicted" });
}

function silent(story: Story): void {
  fails(story, "a");
  story.node("node-a", "Unknown");
  story.after(60);
}

describe("a node of failed Pods", () => {
  it("is unfit if a Pod failed there, and then one that was created later", () => {
    expect(isUnfit((story) => (fails(story, "a"), story.after(1), fails(story, "b")))).toBe(true);
  });

  it("is fit after one failed Pod", () => {
    expect(isUnfit((story) => fails(story, "a"))).toBe(false);
  });

  it("is fit if Pods that ran side by side failed together", () => {
    expect(
      isUnfit((story) => {
        story.podCreated("a");
        story.podCreated("b");
        story.podStarted("a");
        story.podStarted("b");
        story.after(10);
        story.podTerminated("a", "Failed", { reason: "Evicted" });
        story.podTerminated("b", "Failed", { reason: "Evicted" });
      }),
    ).toBe(false);
  });

  it("is fit if the second Pod failed on another node", () => {
    expect(isUnfit((story) => (fails(story, "a"), story.after(1), fails(story, "b", "node-b")))).toBe(false);
  });

  it("is unknown for a Pod without a node", () => {
    const nodes = new UnfitNodes({ job: new Story().record.job, clusterContext: new Story().clusterContext });
    expect(nodes.has(undefined)).toBe(false);
  });
});

describe("a node that was not ready", () => {
  it("is unfit while the Job has not ended", () => {
    expect(isUnfit(silent)).toBe(true);
  });

  it("is unfit if it was not ready when the Job ended, although it is ready again", () => {
    expect(
      isUnfit((story) => {
        silent(story);
        story.jobFinished("Failed", "BackoffLimitExceeded");
        story.after(60);
        story.node("node-a", "True");
      }),
    ).toBe(true);
  });

  it("is fit if it was ready when the Job ended, and fell silent later", () => {
    expect(
      isUnfit((story) => {
        fails(story, "a");
        story.node("node-a", "True");
        story.after(10);
        story.jobFinished("Failed", "BackoffLimitExceeded");
        story.after(60);
        story.node("node-a", "Unknown");
      }),
    ).toBe(false);
  });

  it("is fit if it was ready when the Job was deleted, and fell silent later", () => {
    expect(
      isUnfit((story) => {
        fails(story, "a");
        story.jobDeleted();
        story.after(60);
        story.node("node-a", "Unknown");
      }),
    ).toBe(false);
  });

  it("is fit if its object is gone: no Pod gets it again", () => {
    expect(isUnfit((story) => (silent(story), story.nodeDeleted("node-a")))).toBe(false);
  });
});
