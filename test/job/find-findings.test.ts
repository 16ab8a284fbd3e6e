import { describe, expect, it } from "vitest";
import { Story } from "../support/story.ts";
import { answerOf, findingOf, kindsOf, namesIn } from "../support/told.ts";

function tracked(spec: Parameters<Story["jobCreated"]>[0] = {}): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobTracked();
  story.jobReported({ active: 1, startTime: story.now });
  return story;
}

describe("a healthy Job", () => {
  it.each([
    ["that just began", tracked()],
    ["that ran as it should", complete()],
    ["that retried and succeeded", retried()],
    ["that was scaled down", scaledDown(1)],
    ["that was scaled down in the second its Pod ended", scaledDown(0)],
  ])("%s has no findings", (_, story) => expect(kindsOf(story, story.now + 3_600_000)).toEqual([]));
});

function complete(): Story {
  const story = tracked();
  story.podSucceeds("a", 3, { tracked: true });
  story.podUntracked("a");
  story.after(1);
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story;
}

function retried(): Story {
  const story = tracked();
  story.podFails("a", 1, 2, { tracked: true });
  story.podUntracked("a");
  story.after(10);
  story.podSucceeds("b", 2, { tracked: true });
  story.podUntracked("b");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1, failed: 1 });
  return story;
}

/** Released: the finalizer goes first, and the program says 0 when it is told to stop. */
function scaledDown(stopsIn: number): Story {
  const story = tracked({ completions: 2, parallelism: 2 });
  story.podCreated("b");
  story.podTracked("b");
  story.podStarted("b");
  story.after(2);
  story.podUntracked("b");
  story.podDeletionRequested("b", "Running", { graceSeconds: 30 });
  story.after(stopsIn);
  story.containerEnded("b", 0, 2 + stopsIn);
  story.podTerminated("b", "Succeeded");
  story.podDeleted("b");
  for (const pod of ["a", "c"]) {
    story.podSucceeds(pod, 2, { tracked: true });
    story.podUntracked(pod);
  }
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 2 });
  return story;
}

describe("a success that Kubernetes does not count", () => {
  it("is found when the finalizer was taken off while the Pod ran", () => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    story.podUntracked("a");
    story.after(3);
    story.containerEnded("a", 0, 3);
    story.podTerminated("a", "Succeeded");
    expect(namesIn(findingOf(story, "CompletionLost"))).toEqual(["render-a"]);
  });

  it("is found by the counters when the finalizer was taken off between the success and the count", () => {
    const story = tracked({ completions: 2 });
    for (const pod of ["a", "b"]) {
      story.podSucceeds(pod, 3, { tracked: true });
      story.podUntracked(pod);
    }
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    expect(findingOf(story, "CompletionLost")?.message).toMatch(
      /^2 Pods succeeded, and Kubernetes counted 1: 1 success lost/,
    );
  });

  it.each([
    ["its index, though the Job finished with every index complete", { index: 0 }, INDEXED],
    ["the one completion of its Job", {}, {}],
  ])("is found by the Pod that was made, after its finalizer was off, for %s", (_, created, spec) => {
    const story = tracked(spec);
    story.podSucceeds("a", 3, { tracked: true, ...created });
    story.podUntracked("a");
    story.podSucceeds("b", 3, { tracked: true, ...created });
    story.podUntracked("b");
    const done = "completions" in spec ? { completedIndexes: "0", succeeded: 1 } : { succeeded: 1 };
    story.jobFinished("Complete", "CompletionsReached", done);
    expect(findingOf(story, "CompletionLost")?.message).toBe(
      "1 Pod succeeded, and Kubernetes lost that (render-a): it is not counted.",
    );
  });

  it.each([
    ["made before the finalizer was off: the controller had not heard of the first", madeTwice],
    ["made again for an index that the Job had shrunk below in between", shrunk],
  ])("is none for a Pod whose piece of work had another one %s", (_, story) => {
    expect(kindsOf(story())).not.toContain("CompletionLost");
  });

  it("is found when the Pod had succeeded before it was deleted, and counts as failed for that", () => {
    const story = silentNode();
    expect(findingOf(story, "CompletionLost")?.message).toContain("it is counted as failed");
  });
});

const INDEXED = { completionMode: "Indexed", completions: 2, parallelism: 2 } as const;

function madeTwice(): Story {
  const story = tracked(INDEXED);
  story.podCreated("b", { index: 0 });
  story.podTracked("b");
  story.podSucceeds("a", 3, { tracked: true, index: 0 });
  story.podUntracked("a");
  return story;
}

function shrunk(): Story {
  const story = tracked(INDEXED);
  story.podSucceeds("a", 3, { tracked: true, index: 1 });
  story.podUntracked("a");
  story.jobSpecified({ completions: 1, parallelism: 1 }, 2);
  story.jobSpecified({ completions: 2, parallelism: 2 }, 3);
  story.podSucceeds("b", 3, { tracked: true, index: 1 });
  return story;
}

/** The first Pod's node goes silent, the Pod is deleted by taint and counted as failed, a second one runs; then the node comes back. */
function silentNode(): Story {
  const story = tracked();
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a", "node-a");
  story.after(10);
  story.node("node-a", "Unknown");
  story.after(5);
  story.podDisrupted("a", "DeletionByTaintManager");
  story.podDeletionRequested("a", "Running", { tracked: true, graceSeconds: 30 });
  story.podUntracked("a");
  story.after(5);
  story.podCreated("b");
  story.podTracked("b");
  story.podStarted("b", "node-b");
  story.after(5);
  story.containerEnded("a", 0, 12, { finishedAt: story.second(12) });
  story.podTerminated("a", "Succeeded");
  story.podDeleted("a");
  return story;
}

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

  it("may be one where nobody saw how the first run ended", () => {
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
  ])("is not %s", (_, story) => expect(kindsOf(story)).not.toContain("DuplicateExecution"));
});

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
  for (const pod of ["a", "b"]) {
    story.podCreated(pod);
    story.podTracked(pod);
    story.podStarted(pod);
  }
  return story;
}

describe("a Pod that was called Failed after it had succeeded", () => {
  it("stays a success, and the contradiction is found", () => {
    const story = tracked();
    story.podSucceeds("a", 2, { tracked: true });
    story.after(2);
    story.podTerminated("a", "Failed", { tracked: true });
    expect(kindsOf(story)).toContain("SuccessFlipped");
    expect(answerOf(story).attempts?.[0]?.outcome).toBe("Succeeded");
  });

  it("is not one that failed first", () => {
    const story = tracked();
    story.podFails("a", 1, 2, { tracked: true });
    story.podTerminated("a", "Succeeded", { tracked: true });
    expect(kindsOf(story)).not.toContain("SuccessFlipped");
  });
});

function restarted(node: "True" | "Unknown"): Story {
  const story = tracked({ restartPolicy: "OnFailure" });
  story.node("node-a", "True", "KubeletReady");
  story.podCreated("a");
  story.podTracked("a");
  story.podStarted("a");
  story.after(10);
  if (node === "Unknown") story.node("node-a", "Unknown");
  story.after(5);
  story.containerEnded("a", 137, 15);
  story.podObserved("a", { restarts: 1 });
  story.node("node-a", "True", "KubeletReady");
  return story;
}

describe("a container that was restarted in place", () => {
  it("is no new attempt, and is told with exit code and run time", () => {
    const finding = findingOf(restarted("True"), "ContainerRestarted");
    expect(finding?.message).toBe(
      "1 Pod had containers restarted in place (1 restart, exit code 137: render-a); a restart is not a new attempt.",
    );
    expect(finding?.evidence[0]?.detail).toBe(
      "container work ended with exit code 137 (Error) after 15 s and was started again in place (restart 1)",
    );
    expect(answerOf(restarted("True")).attempts).toHaveLength(1);
  });

  it("is tied to what its node did at that time", () => {
    expect(findingOf(restarted("Unknown"), "ContainerRestarted")?.message).toContain(
      "around then node-a was unreachable (NodeStatusUnknown) since 2026-01-01T00:00:10Z",
    );
  });
});

describe("a Pod whose end nobody saw", () => {
  it.each<[string, boolean, (story: Story) => void]>([
    ["ran and was deleted while Running", true, (story) => story.podStarted("a")],
    ["never started", false, () => undefined],
  ])("that %s is told: %s", (_, isFound, tell) => {
    const story = tracked();
    story.podCreated("a");
    story.podTracked("a");
    tell(story);
    story.after(5);
    story.podVanished("a");
    expect(kindsOf(story).includes("OutcomeUnknown")).toBe(isFound);
    expect(answerOf(story).attempts?.[0]?.outcome).toBe("Unknown");
  });
});

function succeededUncounted(): Story {
  const story = tracked();
  story.podSucceeds("a", 2, { tracked: true });
  return story;
}

describe("a status that lags", () => {
  it.each([
    [119, []],
    [120, ["StatusBehind"]],
  ])("%s s after the Pod ended is found as %j", (seconds, kinds) => {
    const story = succeededUncounted();
    expect(kindsOf(story, story.now + seconds * 1000)).toEqual(kinds);
  });

  it("is none where the Pod is on the uncounted list", () => {
    const story = succeededUncounted();
    const { uid } = story.pod("a");
    story.jobReported({ active: 0, uncounted: { succeeded: [uid], failed: [] } });
    expect(kindsOf(story, story.now + 300_000)).toEqual([]);
  });
});

describe("a finalizer that stays on", () => {
  it.each([
    ["a Pod that ended 10 min ago is found", 600, true],
    ["a Pod that ended just under 10 min ago is not found yet", 599, false],
  ])("for %s", (_, seconds, isFound) => {
    const story = tracked();
    story.podSucceeds("a", 2, { tracked: true });
    expect(kindsOf(story, story.now + seconds * 1000).includes("FinalizerStuck")).toBe(isFound);
  });

  it("is found on a Job that was asked to go 10 min ago", () => {
    const story = tracked();
    story.jobDeletionRequested(["example.com/guard"]);
    expect(findingOf(story, "FinalizerStuck", story.now + 600_000)?.message).toBe(
      "The Job was asked to go 10 min ago and is held by example.com/guard.",
    );
  });

  it("is by design on a failed Pod that is held back for its index", () => {
    const story = tracked({ completionMode: "Indexed", completions: 1, backoffLimitPerIndex: 3 });
    story.podFails("a", 1, 2, { tracked: true });
    expect(kindsOf(story, story.now + 900_000)).not.toContain("FinalizerStuck");
  });
});

describe("a Job of 1,000 stuck Pods", () => {
  const story = tracked({ completions: 1000, parallelism: 1000 });
  for (let pod = 0; pod < 1000; pod += 1) {
    story.podCreated(String(pod).padStart(4, "0"));
    story.podStarted(String(pod).padStart(4, "0"));
  }
  story.node("node-a", "Unknown");

  it("names the first 20 and counts all", () => {
    const finding = findingOf(story, "NodeUnreachable");
    expect(finding?.podCount).toBe(1000);
    expect(finding?.message).toContain("and 995 more");
    expect(namesIn(finding)).toEqual(Array.from({ length: 20 }, (_, pod) => `render-${String(pod).padStart(4, "0")}`));
  });
});
