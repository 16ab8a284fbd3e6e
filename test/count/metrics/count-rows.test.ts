import { describe, expect, it } from "vitest";
import { countRows } from "../../../src/count/metrics/count-rows.ts";
import { MetricsOfRecords } from "../../../src/count/metrics/metrics-of-records.ts";
import { deriveRow } from "../../../src/projection/job-state/derive-row.ts";
import { emptyJobState, type JobState } from "../../../src/projection/job-state/job-state.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";

const cluster = clusterNamed("east");

describe("a Job whose row changes", () => {
  it("contributes what the row says, in place of what the row before said", async () => {
    const story = new Story();
    const metrics = new MetricsOfRecords();
    const observer = countRows(metrics);
    const change = async () => {
      const state: JobState = { ...emptyJobState(story.jobUid), layout: "inline", record: story.record, seenAt: 0 };
      const derived = deriveRow(cluster, state);
      if (derived !== undefined) await observer({ key: { cluster, jobUid: story.jobUid }, state, derived });
      return (await metrics.show()).map(({ family, labels, parts }) => [family, labels["state"], parts.get(0)]);
    };
    story.jobCreated();
    expect(await change()).toEqual([[1, "Pending", 1]]);
    story.podStarted("a");
    expect(await change()).toContainEqual([1, "Running", 1]);
    story.podTerminated("a", "Succeeded");
    story.jobFinished("Complete");
    const ended = await change();
    expect(ended).toContainEqual([2, "Complete", 1]);
    expect(ended.filter(([family]) => family === 1)).toEqual([]);
  });
});
