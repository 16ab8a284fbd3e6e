import { describe, expect, it } from "vitest";
import type { PodCreated } from "../../../src/job/model/fact.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { tallyPods } from "../../../src/job/accounting/tally.ts";
import { sumOfUsage } from "../../../src/job/usage/usage.ts";
import { unpackSummary, unpackWithUsage } from "../../../src/projection/job-state/summary-bytes.ts";
import { type JobState, emptyJobState, jobStateRules } from "../../../src/projection/job-state/job-state.ts";
import { rowOf } from "../../../src/projection/job-state/derive-row.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

const east = clusterNamed("east");
const held = (story: Story): JobState => ({
  ...emptyJobState(story.jobUid),
  layout: "inline",
  record: story.record,
  seenAt: story.now,
});

/** A story with one Pod that runs. */
function podOnly(name: PodCreated["name"]): Story {
  const story = new Story();
  story.podCreated("a", { name, namespace: "night" });
  story.podStarted("a");
  return story;
}

describe("the row of a Job", () => {
  it("says when it ended once it has, and not before", () => {
    const story = podOnly("report-2vxzf");
    expect(rowOf(east, held(story))).not.toHaveProperty("endedAt");
    story.podTerminated("a", "Succeeded");
    expect(rowOf(east, held(story))).toMatchObject({ phase: "F", endedAt: story.now });
  });
});

function usageOf(state: JobState) {
  const row = rowOf(east, state);
  const usage = row && unpackWithUsage(row.summary).usage;
  return usage && sumOfUsage(usage.values());
}

describe("the row of a Job that is over", () => {
  it("has what its Pods reserved, exactly, without a Pod that still runs", () => {
    const story = new Story();
    story.jobCreated();
    story.podSucceeds("a", 61);
    story.podReserved("a", { cpu: "250m" });
    story.podCreated("b");
    story.podStarted("b");
    story.podReserved("b", { cpu: "2" });
    expect(usageOf(held(story))).toBeUndefined();
    story.jobFinished("Complete");
    expect(usageOf(held(story))).toMatchObject({
      pods: 1,
      podTime: new Map([["kept", 61_000n]]),
      resources: new Map([["cpu", new Map([["kept", 61_000n * 250_000_000n]])]]),
    });
  });
});

describe("the row of a Job that was never seen", () => {
  it("has the sort key that its Pods give", () => {
    const story = podOnly("report-2vxzf");
    expect(rowOf(east, held(story))).toMatchObject({
      namespace: "night",
      name: "report",
      createdAt: story.second(0),
      phase: "A",
    });
  });

  it("is finished once its last Pod is, so that it expires", () => {
    const story = podOnly("report-2vxzf");
    story.podTerminated("a", "Succeeded");
    expect(rowOf(east, held(story))?.phase).toBe("F");
  });

  it("is absent if no Pod has its name", () => {
    expect(rowOf(east, held(podOnly("by-hand")))).toBeUndefined();
    expect(rowOf(east, emptyJobState(new Story().jobUid))).toBeUndefined();
  });
});

function summaryOf(state: JobState): JobAnswer {
  const row = rowOf(east, state);
  if (row === undefined) throw new Error("The Job has a name.");
  return unpackSummary(row.summary);
}

describe("the row of a Job with more Pods than it reads", () => {
  const story = new Story();
  story.jobCreated();
  story.jobTracked();
  story.podSucceeds("a", 5, { tracked: true });
  story.podUntracked("a");
  story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
  const { job, pods } = story.record;
  const tally = tallyPods(pods.values(), jobStateRules(job, { tracked: 1 }));
  const { segments } = emptyJobState(story.jobUid);
  const large: JobState = { layout: "large", job, pods: { level: 0, top: [] }, tally, segments, seenAt: story.now };

  it("claims only what Kubernetes reports: findings about the Pods may contradict it", () => {
    expect(summaryOf(held(story)).verdict).toMatchObject({ state: "Complete", basis: "both" });
    expect(summaryOf(large)).toMatchObject({
      podsUnread: true,
      verdict: { state: "Complete", final: true, basis: "reported" },
    });
  });
});
