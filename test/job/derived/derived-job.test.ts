import { describe, expect, it } from "vitest";
import { tallyPods } from "../../../src/job/accounting/tally.ts";
import { type DerivedJob, deriveRecord, deriveTally, recordRules } from "../../../src/job/derived/derived-job.ts";
import { ownPods } from "../../../src/job/model/own-pod.ts";
import { SILENT_AFTER_MILLIS } from "../../../src/job/status/silence.ts";
import { Story } from "../../support/story/story.ts";

/** A Job with one success, one failure and a Pod of another namespace. */
function halfDone(): Story {
  const story = new Story();
  story.jobCreated({ completions: 2, parallelism: 2 });
  story.jobTracked();
  story.jobReported({ uncounted: { succeeded: [], failed: [] } });
  story.podSucceeds("a", 5, { tracked: true });
  story.podFails("b", 1, 5, { tracked: true });
  story.podSucceeds("c", 5, { namespace: "elsewhere", tracked: true });
  story.jobReported({ succeeded: 1, failed: 1, startTime: story.second(0), uncounted: { succeeded: [], failed: [] } });
  return story;
}

function derive(story: Story, queriedAt = story.now): DerivedJob {
  return deriveRecord(story.record, { clusterContext: story.clusterContext, now: story.now, queriedAt });
}

describe("a Job that is derived from its record", () => {
  it("has one status, verdict and completeness", () => {
    const { status, verdict, completeness } = derive(halfDone());
    expect(status.status).toMatchObject({ succeeded: 1, failed: 1 });
    expect(verdict).toMatchObject({ state: "Running", final: false });
    expect(completeness.level).toBe("complete");
  });

  it("excludes Pods of another namespace", () => {
    expect(derive(halfDone()).tally.ledgers).toMatchObject({ succeeded: 1, failed: 1 });
  });

  it("has the defaults of the API server if no spec was observed", () => {
    const story = new Story();
    story.podSucceeds("a", 5);
    const { spec, unseen } = derive(story);
    expect(spec).toMatchObject({ parallelism: 1, backoffLimit: 6, completionMode: "NonIndexed" });
    expect(unseen).toMatchObject({ namespace: "default" });
  });

  it.each([
    [SILENT_AFTER_MILLIS - 1, "complete"],
    [SILENT_AFTER_MILLIS, "stale"],
  ] as const)("and %i ms after the last heartbeat is %s", (silence, level) => {
    const story = halfDone();
    expect(derive(story, story.now + silence).completeness.level).toBe(level);
  });

  it("is never stale if its verdict is final", () => {
    const story = halfDone();
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 2, failed: 1 });
    expect(derive(story, story.now + 10 * SILENT_AFTER_MILLIS).completeness.level).not.toBe("stale");
  });

  it("names who requested its deletion", () => {
    const story = halfDone();
    story.requested("Job", "alice");
    story.jobDeletionRequested();
    story.jobDeleted();
    expect(derive(story).deletedBy).toBeDefined();
  });
});

describe("a Job that is derived from its tally", () => {
  it("has the same status and verdict as from its record, and no findings", () => {
    const story = halfDone();
    const { record, clusterContext, now } = story;
    const tally = tallyPods(ownPods(record).values(), recordRules(record, clusterContext));
    const derived = deriveTally({ job: record.job, tally, clusterContext, now });
    const { status, verdict } = derive(story);
    expect(derived).toMatchObject({ status, verdict, findings: [] });
  });
});
