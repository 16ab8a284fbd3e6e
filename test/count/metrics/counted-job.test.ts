import { describe, expect, it } from "vitest";
import { countedJob } from "../../../src/count/metrics/counted-job.ts";
import { deriveRow } from "../../../src/projection/job-state/derive-row.ts";
import { emptyJobState, type JobState } from "../../../src/projection/job-state/job-state.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

function counted(story: Story) {
  const empty = emptyJobState(story.jobUid);
  const state: JobState = { ...empty, layout: "inline", record: story.record, seenAt: story.now };
  const derived = deriveRow(clusterNamed("east"), state);
  return derived && countedJob(state, derived);
}

describe("what is counted of a Job", () => {
  it("is open until it is over and its Pods are settled", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podTracked("a");
    story.podStarted("a");
    expect(counted(story)).toMatchObject({ isOver: false, isOpen: true });
    story.podTerminated("a", "Succeeded");
    story.jobFinished("Complete");
    expect(counted(story)).toMatchObject({ isOver: true, isOpen: true });
    story.podUntracked("a");
    expect(counted(story)).toMatchObject({ isOver: true, isOpen: false });
  });

  it("has no categories if the Job may become large", () => {
    const story = new Story();
    story.jobCreated({ completions: 257 });
    story.podStarted("a");
    expect(counted(story)).toHaveProperty("pods");
    expect(counted(story)).not.toHaveProperty("categories");
  });
});
