import { findingOf, kindsOf, namesIn } from "../../support/story/answer-of-story.ts";
import { retried, silentNode, tracked } from "../../support/story/finding-stories.ts";
import type { Story } from "../../support/story/story.ts";
import { describe, expect, it } from "vitest";

describe("a duplicate execution", () => {
  it("is a second run after the first had succeeded", () => {
    expect(findingOf(silentNode(), "DuplicateExecution")?.message).toBe(
      "The same work ran twice: render-b (node-b) ran after render-a (node-a) had run to success.",
    );
  });

  it("is a second run that began before the first had ended", () => {
    const story = drained(30);
    expect(findingOf(story, "DuplicateExecution")?.message).toContain(
      "started while render-a (node-a) was still running",
    );
  });

  it.each([
    ["may be a run in place after one that the container runtime lost", 255, "Unknown", true],
    ["is no run in place after a program's own exit code 255", 255, "Error", false],
    ["is no run in place after a failure", 1, "Error", false],
  ])("%s", (_, exitCode, reason, isFound) => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.after(5);
    story.containerEnded("a", exitCode, 5, { reason });
    story.after(5);
    story.containerEnded("a", 0, 5, { restartCount: 1 });
    story.podTerminated("a", "Succeeded", { tracked: true });
    const found = findingOf(story, "DuplicateExecution");
    expect(found?.message).toBe(
      isFound
        ? "The same work may have run twice: render-a (node-a) was started again in place, " +
            "and how its run before ended is unknown."
        : undefined,
    );
    expect(found?.evidence[0]?.detail).toBe(
      isFound
        ? "container work was lost by the container runtime (exit code 255, Unknown), and was started again in place"
        : undefined,
    );
  });

  it("may be one where the end of the first run was not observed", () => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.podVanished("a");
    story.after(5);
    story.podCreated("b");
    story.podStarted("b");
    expect(findingOf(story, "DuplicateExecution")?.message).toMatch(/^The same work may have run twice/);
  });

  it.each<[string, string, Story]>([
    [
      "answered its deletion with exit code 0",
      "render-b (node-a) started, and render-a (node-a) had answered its deletion with exit code 0",
      repeated((story) => {
        story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
        story.containerEnded("a", 0, 10);
        story.podTerminated("a", "Succeeded");
      }),
    ],
    [
      "ended while containerd was down",
      "render-b (node-a) started, and how render-a (node-a) ended is unknown",
      repeated((story) => {
        story.containerEnded("a", 255, 10, { reason: "Unknown" });
        story.podTerminated("a", "Failed");
      }),
    ],
    [
      "was called Failed while it ran",
      "render-b (node-a) started, and how render-a (node-a) ended is unknown",
      repeated((story) => story.podTerminated("a", "Failed", { stillRunning: ["work"] })),
    ],
  ])("is possible where the first run %s", (_, text, story) => {
    expect(findingOf(story, "DuplicateExecution")?.message).toBe(`The same work may have run twice: ${text}.`);
  });

  it("is looked for in each index", () => {
    const story = tracked({ completionMode: "Indexed", completions: 2, parallelism: 2 });
    story.podSucceeds("a", 2, { tracked: true, index: 0 });
    story.podSucceeds("b", 2, { tracked: true, index: 1 });
    story.podSucceeds("c", 2, { tracked: true, index: 1 });
    expect(namesIn(findingOf(story, "DuplicateExecution"))).toEqual(["render-b", "render-c"]);
  });

  it("is counted in every index, and named in the first few", () => {
    const story = tracked({ completionMode: "Indexed", completions: 40, parallelism: 40 });
    for (let run = 0; run < 80; run += 1) {
      const pod = String(run).padStart(2, "0");
      story.podSucceeds(pod, 1, { tracked: true, index: run % 40 });
    }
    const finding = findingOf(story, "DuplicateExecution");
    expect(finding?.message).toMatch(/^The same work ran twice \(40 times\): render-40 .* and 37 more\.$/);
    expect(finding?.podCount).toBe(80);
    expect(namesIn(finding)).toEqual(Array.from({ length: 20 }, (_, pod) => `render-${String(pod).padStart(2, "0")}`));
    expect(finding?.evidence).toHaveLength(80);
    story.facts.reverse();
    expect(findingOf(story, "DuplicateExecution")).toEqual(finding);
  });

  it.each([
    ["a retry after the first run had failed", retried()],
    ["Pods that share the work", shared()],
    ["a replacement that began after the drained Pod had ended", drained(0)],
    [
      "a retry of a Pod that was called Failed while it ran, and whose container ended then",
      repeated((story) => {
        story.podTerminated("a", "Failed", { stillRunning: ["work"] });
        story.containerEnded("a", 143, 10);
      }),
    ],
    [
      "a retry of a Pod that failed, and whose containers' ends are not known",
      repeated((story) => story.podTerminated("a", "Failed")),
    ],
    ["a retry that was created after the end of the first run, by a node whose clock is behind", clocksDiffer()],
    ["a retry of a Pod that waited for its image until the kubelet lost it", neverRan()],
  ])("is not %s", (_, story) => expect(kindsOf(story)).not.toContain("DuplicateExecution"));
});

/** A Pod that ran for 10 s and ended in a given way, and another Pod for the same work unit. */
function repeated(end: (story: Story) => void): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  end(story);
  story.after(5);
  story.podCreated("b");
  story.podStarted("b");
  return story;
}

function clocksDiffer(): Story {
  const story = tracked();
  story.podCreated("a");
  story.podStarted("a");
  story.after(10);
  story.containerEnded("a", 1, 10, { finishedAt: story.second(30) });
  story.podTerminated("a", "Failed");
  story.podCreated("b");
  story.podStarted("b");
  return story;
}

function neverRan(): Story {
  const story = tracked();
  story.podCreated("a");
  story.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
  story.podTerminated("a", "Failed");
  story.podCreated("b");
  story.podStarted("b");
  return story;
}

function drained(stillRunning: number): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  story.podDisrupted("a", "EvictionByEvictionAPI");
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 60 });
  story.podCreated("b");
  story.podStarted("b", "node-b");
  story.after(stillRunning);
  story.containerEnded("a", 143, 10 + stillRunning);
  story.podTerminated("a", "Failed", { tracked: true });
  story.podDeleted("a");
  return story;
}

function shared(): Story {
  const story = tracked({ completions: 2, parallelism: 2 });
  story.podsRunning("a", "b");
  return story;
}
