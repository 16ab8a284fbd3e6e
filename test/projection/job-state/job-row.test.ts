import { describe, expect, it } from "vitest";
import type { PodCreated } from "../../../src/job/model/fact.ts";
import { type JobState, emptyJobState } from "../../../src/projection/job-state/job-state.ts";
import { rowOf } from "../../../src/projection/job-state/job-row.ts";
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
