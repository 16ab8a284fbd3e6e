import { describe, expect, it } from "vitest";
import type { GapRecorded } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { decodePodUid } from "../../../src/job/model/ids.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { answerOfStory } from "../../support/story/derive-story.ts";
import { Story } from "../../support/story/story.ts";

function gap(from: Instant, to: Instant, resources: readonly string[] = ["pods"]): GapRecorded {
  const resourceVersion = decodeResourceVersion("1");
  if (resourceVersion === undefined) throw new Error("1 is a resourceVersion.");
  return {
    kind: "GapRecorded",
    gapId: "g",
    epoch: 0,
    resourceVersion,
    at: to,
    from,
    to,
    resources,
    reason: "Relisted.",
  };
}

/** A tracked Job that runs from second 0 to 10, all of it seen. */
function finished(): Story {
  const story = new Story();
  story.jobCreated({ podReplacementPolicy: "TerminatingOrFailed" });
  story.jobReported({});
  story.podSucceeds("a", 10, { tracked: true });
  story.podUntracked("a");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  return story;
}

/** The last two facts were seen in one observation. */
function atOnce(story: Story): void {
  const second = story.facts.pop();
  const first = story.facts.at(-1);
  if (first === undefined || second === undefined) throw new Error("A story keeps what it was told.");
  story.facts.push({ ...second, resourceVersion: first.resourceVersion });
}

/** The first observation of a Pod is of its end, with the finalizer on. */
function sightOfEnd(story: Story, madeAfterSeconds = 1): void {
  story.podCreated("a", { createdAt: story.now + madeAfterSeconds * 1000 });
  story.podTerminated("a", "Succeeded", { tracked: true });
  atOnce(story);
}

describe("the completeness of an answer", () => {
  it.each<readonly [string, number, number, readonly string[] | undefined, string]>([
    ["is complete without a gap in the Job's life", 11, 20, undefined, "complete"],
    ["is complete when a gap ended before the Job's life", -9, -1, undefined, "complete"],
    ["is affected by a gap that ended when it started", -9, 0, undefined, "reconciled"],
    ["is complete when a gap affects only Nodes", 2, 5, ["nodes"], "complete"],
    ["is reconciled when the Job's counters include no other Pod", 2, 5, undefined, "reconciled"],
    ["is affected by a gap that starts when it ends", 10, 20, undefined, "reconciled"],
    ["is affected by a gap of its own resource", 2, 5, ["jobs"], "reconciled"],
  ])("%s", (_, from, to, resources, level) => {
    const story = finished();
    const gaps = [gap(story.second(from), story.second(to), resources)];
    expect(answerOfStory(story, { now: story.second(60), gaps }).completeness.level).toBe(level);
  });

  it("has gaps when the counters include Pods that were not observed", () => {
    const story = finished();
    story.jobReported({ succeeded: 1, failed: 3 });
    const { level, gaps } = answerOfStory(story, { gaps: [gap(story.second(2), story.second(3))] }).completeness;
    expect(level).toBe("gaps");
    expect(gaps).toEqual([
      { from: "2026-01-01T00:00:02Z", to: "2026-01-01T00:00:03Z", resources: ["pods"], reason: "Relisted." },
      { resources: ["pods"], reason: "Kubernetes counted 3 Pods whose ends were not observed." },
    ]);
  });

  it("has gaps when a Pod is gone without a known end", () => {
    const story = finished();
    story.podCreated("b");
    story.podVanished("b");
    const { level } = answerOfStory(story, { gaps: [gap(story.second(2), story.second(3))] }).completeness;
    expect(level).toBe("gaps");
  });

  it.each<readonly [string, (story: Story) => void, string]>([
    ["is affected by a later gap while the end of a Pod is unknown", (story) => story.podVanished("a"), "gaps"],
    ["is complete when its Pods had ended before the gap", (story) => story.podTerminated("a", "Failed"), "complete"],
  ])("of a Job that was deleted before it ended %s", (_, went, level) => {
    const story = new Story();
    story.jobCreated();
    story.jobReported({});
    story.podCreated("a");
    story.podStarted("a");
    story.jobDeleted();
    went(story);
    const gaps = [gap(story.second(20), story.second(30))];
    expect(answerOfStory(story, { now: story.second(60), gaps }).completeness.level).toBe(level);
  });

  it.each<readonly [string, (story: Story) => void, readonly string[]]>([
    ["is complete while the Job runs and everything is observed", (s) => s.podSucceeds("a", 5, { tracked: true }), []],
    [
      "has a gap when the counter exceeds the observed Pods",
      (s) => (s.podSucceeds("a", 5, { tracked: true }), s.jobReported({ succeeded: 2 }), s.after(60)),
      ["Kubernetes counted 1 Pod whose end was not observed."],
    ],
    [
      "waits for Pods that may arrive after their count, while the Job is running",
      (s) => (s.podSucceeds("a", 5, { tracked: true }), s.jobReported({ succeeded: 2 }), s.after(9)),
      [],
    ],
    [
      "does not wait after the Job finished",
      (s) => (
        s.podSucceeds("a", 5, { tracked: true }),
        s.jobFinished("Complete", "CompletionsReached", { succeeded: 2 })
      ),
      ["Kubernetes counted 1 Pod whose end was not observed."],
    ],
    [
      "has a gap when listed Pods were not observed",
      (s) => {
        const uids = ["x", "y"].flatMap((pod) => decodePodUid(pod) ?? []);
        s.jobReported({ uncounted: { succeeded: [], failed: uids } });
        s.after(60);
      },
      ["Kubernetes counted 2 Pods whose ends were not observed."],
    ],
    [
      "has a gap when an index is completed without an observed success",
      (s) => (s.jobReported({ succeeded: 2, completedIndexes: "0,1" }), s.after(60)),
      ["Kubernetes counted 2 Pods whose ends were not observed."],
    ],
    [
      "is complete when a Pod counts as the other class",
      (s) => {
        s.podCreated("a");
        s.podTracked("a");
        s.podDeletionRequested("a", "Running", { tracked: true });
        s.podTerminated("a", "Succeeded", { tracked: true });
        s.podUntracked("a");
        s.jobReported({ succeeded: 1, uncounted: { succeeded: [], failed: [] } });
        s.after(60);
      },
      [],
    ],
    [
      "is complete when Pods count as failed because the Job failed",
      (s) => {
        s.podCreated("a");
        s.podTracked("a");
        s.podDeletionRequested("a", "Running", { tracked: true });
        s.podDeleted("a", true);
        s.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
      },
      [],
    ],
    [
      "has a gap when a Pod was first observed after its end",
      (s) => sightOfEnd(s),
      ["1 Pod was not observed from beginning to end."],
    ],
    [
      "has a gap when its end was first observed without the finalizer",
      (s) => (s.podCreated("a"), s.podTracked("a"), s.podUntracked("a"), s.podTerminated("a", "Succeeded"), atOnce(s)),
      ["1 Pod was not observed from beginning to end."],
    ],
    ["is complete when such a Pod is older than the Job, because it was adopted", (s) => sightOfEnd(s, -60), []],
  ])("%s", (title, tell, reasons) => {
    const story = new Story();
    const indexed = title.includes("index") ? { completionMode: "Indexed" } : {};
    story.jobCreated({ completions: 9, podReplacementPolicy: "TerminatingOrFailed", ...indexed });
    story.jobReported({});
    tell(story);
    const { level, gaps } = answerOfStory(story).completeness;
    expect(gaps.map(({ reason }) => reason)).toEqual(reasons);
    expect(level === "complete").toBe(reasons.length === 0);
  });

  it.each<readonly [string, (story: Story) => void, readonly string[]]>([
    [
      "is complete when it was observed before its start",
      (s) => (s.jobReported({}), s.jobReported({ startTime: s.now })),
      [],
    ],
    [
      "has a gap when it had started, because its controller forgets removed Pods",
      (s) => s.jobReported({ startTime: s.now }),
      ["The Job had started before it was first observed, and its controller does not count deleted Pods."],
    ],
    [
      "has a gap when more Pods exist than were observed",
      (s) => (s.jobReported({}), s.jobReported({ startTime: s.now, succeeded: 1 }), s.after(60)),
      ["Kubernetes counted 1 Pod whose end was not observed."],
    ],
    [
      "is complete when it counts the Pods that it deletes at its failure as failed",
      (s) => {
        s.jobReported({});
        s.podCreated("a");
        s.podDeletionRequested("a", "Running");
        s.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
      },
      [],
    ],
    [
      "is complete when a Pod that it deletes at its failure succeeds",
      (s) => {
        s.jobReported({});
        s.podCreated("a");
        s.podDeletionRequested("a", "Running");
        s.jobFinished("Failed", "DeadlineExceeded", { failed: 1 });
        s.podTerminated("a", "Succeeded");
      },
      [],
    ],
  ])("of an untracked Job %s", (_, tell, reasons) => {
    const story = new Story();
    story.jobCreated({ completions: 9 });
    tell(story);
    story.jobUntracked();
    expect(answerOfStory(story).completeness.gaps.map(({ reason }) => reason)).toEqual(reasons);
  });

  it("has a gap when the Job itself was never observed", () => {
    const story = new Story();
    story.podSucceeds("a", 5, { tracked: true });
    expect(answerOfStory(story).completeness).toEqual({
      level: "gaps",
      gaps: [{ resources: ["jobs"], reason: "The Job object was never observed." }],
    });
  });

  it("has a gap when the Job was first observed after its finish", () => {
    const story = new Story();
    story.jobCreated({ podReplacementPolicy: "Failed" });
    story.jobFinished("Failed", "DeadlineExceeded");
    expect(answerOfStory(story).completeness.level).not.toBe("complete");
  });

  it("has a gap before the first observation when the Job had counted Pods by then", () => {
    const story = new Story();
    story.jobCreated({ completions: 9, podReplacementPolicy: "Failed" });
    story.jobReported({ succeeded: 3 });
    const { level, gaps } = answerOfStory(story).completeness;
    expect(level).toBe("gaps");
    expect(gaps).toMatchObject([{ resources: ["jobs", "pods"] }]);
  });
});
