import { describe, expect, it } from "vitest";
import type { GapRecorded } from "../../src/job/fact.ts";
import type { Instant } from "../../src/job/instant.ts";
import { decodeResourceVersion } from "../../src/job/order.ts";
import { answerOfStory } from "../support/derive.ts";
import { Story } from "../support/story.ts";

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

describe("the completeness of an answer", () => {
  it.each<readonly [string, number, number, readonly string[] | undefined, string]>([
    ["is complete without a gap in the Job's life", 11, 20, undefined, "complete"],
    ["is complete when a gap ended before it", -9, -1, undefined, "complete"],
    ["is complete when only Nodes were out of sight", 2, 5, ["nodes"], "complete"],
    ["is reconciled when the Job's counters name no other Pod", 2, 5, undefined, "reconciled"],
    ["is touched by a gap that begins as it ends", 10, 20, undefined, "reconciled"],
    ["is touched by a gap of its own resource", 2, 5, ["jobs"], "reconciled"],
  ])("%s", (_, from, to, resources, level) => {
    const story = finished();
    const gaps = [gap(story.second(from), story.second(to), resources)];
    expect(answerOfStory(story, { now: story.second(60), gaps }).completeness.level).toBe(level);
  });

  it("has gaps when the counters name Pods that nobody saw", () => {
    const story = finished();
    story.jobReported({ succeeded: 1, failed: 3 });
    const { level, gaps } = answerOfStory(story, { gaps: [gap(story.second(2), story.second(3))] }).completeness;
    expect(level).toBe("gaps");
    expect(gaps).toEqual([
      { from: "2026-01-01T00:00:02Z", to: "2026-01-01T00:00:03Z", resources: ["pods"], reason: "Relisted." },
    ]);
  });

  it("has gaps when a Pod went and nobody knows how", () => {
    const story = finished();
    story.podCreated("b");
    story.podVanished("b");
    const { level } = answerOfStory(story, { gaps: [gap(story.second(2), story.second(3))] }).completeness;
    expect(level).toBe("gaps");
  });

  it("has a gap before first sight when the Job had counted by then", () => {
    const story = new Story();
    story.jobCreated({ completions: 9, podReplacementPolicy: "Failed" });
    story.jobReported({ succeeded: 3 });
    const { level, gaps } = answerOfStory(story).completeness;
    expect(level).toBe("gaps");
    expect(gaps).toMatchObject([{ resources: ["jobs", "pods"] }]);
  });
});
