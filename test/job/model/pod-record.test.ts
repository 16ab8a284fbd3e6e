import { describe, expect, it } from "vitest";
import { isPodFact, type PodFact } from "../../../src/job/model/fact.ts";
import {
  containerRun,
  factsOfPod,
  isBetweenRuns,
  isPlaceholder,
  joinPodFact,
  joinPods,
  type PodRecord,
} from "../../../src/job/model/pod-record.ts";
import { Story } from "../../support/story/story.ts";

const MAX_ENDS = 64;

function podFacts(story: Story): readonly PodFact[] {
  return story.facts.filter(isPodFact);
}

function recordOf(story: Story, facts = podFacts(story)): PodRecord {
  return facts.reduce(joinPodFact, { uid: story.pod("a").uid });
}

/** A Pod with one fact of each kind. */
function fullStory(): Story {
  const story = new Story();
  story.podCreated("a");
  story.podTracked("a");
  story.podUntracked("a");
  story.podStarted("a");
  story.podDisrupted("a", "EvictionByEvictionAPI");
  story.podDeletionRequested("a", "Running");
  story.containerEnded("a", 1, 5);
  story.podTerminated("a", "Succeeded");
  story.podTerminated("a", "Failed");
  story.podDeleted("a");
  story.podVanished("a");
  return story;
}

describe("the record of a Pod", () => {
  it("contains the first fact of each kind, and the latest observation", () => {
    const story = new Story();
    story.podObserved("a", { restarts: 0 });
    story.podObserved("a", { restarts: 3 });
    story.podTracked("a");
    story.podTracked("a");
    const [, , firstTracked] = podFacts(story);
    expect(story.pod("a").observed?.restarts).toBe(3);
    expect(story.pod("a").tracked).toBe(firstTracked);
  });

  it("has no digests of images, so that it does not grow", () => {
    const story = new Story();
    story.containerEnded("a", 0, 5, { imageDigest: "3fbc63216742" });
    expect([...(story.pod("a").ended?.values() ?? [])]).toMatchObject([{ container: "work", exitCode: 0 }]);
    expect(JSON.stringify(factsOfPod(story.pod("a")))).not.toContain("3fbc63216742");
  });

  it("gives facts that join into the same record, in any order", () => {
    const story = fullStory();
    const record = story.pod("a");
    expect(recordOf(story, factsOfPod(record))).toEqual(record);
    expect(recordOf(story, factsOfPod(record).toReversed())).toEqual(record);
    expect(factsOfPod(record)).toHaveLength(podFacts(story).length);
  });

  it("is the same object if a fact is delivered twice", () => {
    const story = fullStory();
    const record = story.pod("a");
    expect(podFacts(story).reduce(joinPodFact, record)).toBe(record);
  });

  it("joins with another record of the Pod in either order", () => {
    const story = fullStory();
    const facts = podFacts(story);
    const [even, odd] = [0, 1].map((rest) =>
      recordOf(
        story,
        facts.filter((_, at) => at % 2 === rest),
      ),
    );
    if (even === undefined || odd === undefined) throw new Error("There are two records.");
    expect(joinPods(even, odd)).toEqual(story.pod("a"));
    expect(joinPods(odd, even)).toEqual(story.pod("a"));
  });

  it("keeps the first observation of a container that could not start", () => {
    const story = new Story();
    const waiting = { container: "work", reason: "ImagePullBackOff" };
    story.podObserved("a", { phase: "Pending", waiting });
    story.podObserved("a", { phase: "Running" });
    expect(story.pod("a").waited?.waiting).toEqual(waiting);
    expect(story.pod("a").observed?.waiting).toBeUndefined();
  });

  it("does not keep CrashLoopBackOff as a container that could not start", () => {
    const story = new Story();
    story.podObserved("a", { waiting: { container: "work", reason: "CrashLoopBackOff" } });
    expect(story.pod("a").waited).toBeUndefined();
  });

  it("keeps the first observation without a node", () => {
    const story = new Story();
    story.podObserved("a", { phase: "Pending", unscheduled: { reason: "Unschedulable" } });
    story.podObserved("a", { phase: "Pending", unscheduled: { reason: "SchedulerError" } });
    expect(story.pod("a").unscheduled?.unscheduled?.reason).toBe("Unschedulable");
  });

  it("keeps the earliest runs of a container and its last one, whatever the order of the facts", () => {
    const story = new Story();
    for (let run = 0; run < MAX_ENDS + 6; run += 1) story.containerEnded("a", 1, 1, { restartCount: run });
    const records = [podFacts(story), podFacts(story).toReversed()].map((facts) => recordOf(story, facts));
    for (const { ended } of records) {
      const runs = [...(ended?.values() ?? [])].map(({ restartCount }) => restartCount).sort((a, b) => a - b);
      expect(runs).toEqual([...Array.from({ length: MAX_ENDS }, (_, run) => run), MAX_ENDS + 5]);
    }
  });

  it("keeps the runs of the first containers, where two have the same number", () => {
    const story = new Story();
    for (let run = 0; run < MAX_ENDS / 2; run += 1) {
      for (const container of ["work", "helper", "log"]) {
        story.containerEnded("a", 1, 1, { container, restartCount: run });
      }
    }
    for (const facts of [podFacts(story), podFacts(story).toReversed()]) {
      const kept = [...(recordOf(story, facts).ended?.values() ?? [])].filter(
        ({ restartCount }) => restartCount === 21,
      );
      expect(kept.map(({ container }) => container)).toEqual(["helper"]);
    }
  });

  it("has the ends among its facts in the order of their containers and runs", () => {
    const story = new Story();
    for (const [container, restartCount] of [
      ["work", 1],
      ["work", 0],
      ["helper", 0],
    ] as const) {
      story.containerEnded("a", 1, 1, { container, restartCount });
    }
    const ends = factsOfPod(story.pod("a")).map(
      (fact) => fact.kind === "ContainerEnded" && [fact.container, fact.restartCount],
    );
    expect(ends).toEqual([
      ["helper", 0],
      ["work", 0],
      ["work", 1],
    ]);
  });

  it("has an observation once among its facts, though several fields contain it", () => {
    const story = new Story();
    const waiting = { container: "work", reason: "ErrImagePull" };
    story.podObserved("a", { phase: "Pending", waiting, unscheduled: { reason: "Unschedulable" } });
    expect(factsOfPod(story.pod("a"))).toHaveLength(1);
  });

  it("keeps a placeholder end beside the real end of the same run", () => {
    const story = new Story();
    story.containerEnded("a", 137, 0, { reason: "ContainerStatusUnknown" });
    story.containerEnded("a", 3, 5);
    expect(story.pod("a").ended?.size).toBe(2);
  });
});

describe("a run of a container", () => {
  it("has a key of its own where the kubelet reports a placeholder for its end", () => {
    const story = new Story();
    story.containerEnded("a", 88, 5);
    story.containerEnded("a", 137, 0, { reason: "RestartingAllContainers" });
    expect([...(story.pod("a").ended?.values() ?? [])].map(containerRun)).toEqual(["work/0", "work/0?"]);
  });

  it.each([
    ["ContainerStatusUnknown", true],
    ["RestartingAllContainers", true],
    ["Error", false],
    [undefined, false],
  ])("has a placeholder end with reason %s: %s", (reason, expected) => {
    expect(isPlaceholder(reason === undefined ? {} : { reason })).toBe(expected);
  });

  it.each([
    ["CrashLoopBackOff", true],
    ["RestartingAllContainers", true],
    ["ImagePullBackOff", false],
  ])("has come before one that waits with reason %s: %s", (reason, expected) => {
    expect(isBetweenRuns(reason)).toBe(expected);
  });
});
