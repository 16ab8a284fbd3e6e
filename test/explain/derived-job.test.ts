import { describe, expect, it } from "vitest";
import { tallyPods } from "../../src/job/accounting/tally.ts";
import { type DerivedJob, deriveRecord, deriveTally, recordRules } from "../../src/explain/derived-job.ts";
import { ownPods } from "../../src/job/model/own-pod.ts";
import { SILENT_AFTER_MILLIS } from "../../src/job/status/silence.ts";
import { tracked } from "../support/story/finding-stories.ts";
import { Story } from "../support/story/story.ts";

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
    expect(spec).toEqual({
      parallelism: 1,
      backoffLimit: 6,
      completionMode: "NonIndexed",
      suspend: false,
      restartPolicy: "Never",
    });
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

function succeeded(): Story {
  const story = tracked();
  story.podSucceeds("a", 5, { tracked: true });
  story.podUntracked("a");
  return story;
}

describe("the basis of a verdict", () => {
  it("is the report and the Pods where both show the same", () => {
    const story = succeeded();
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    expect(derive(story).verdict).toMatchObject({ state: "Complete", basis: "both" });
  });

  it("is the report alone where a finding contradicts it", () => {
    const story = succeeded();
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 3 });
    const { verdict, findings } = derive(story);
    expect(findings.map(({ kind }) => kind)).toContain("ContradictingStatus");
    expect(verdict).toMatchObject({ state: "Complete", basis: "reported" });
  });

  it("is the report alone where a success is lost", () => {
    const story = new Story();
    story.jobCreated({ completions: 2 });
    story.jobTracked();
    story.jobReported({ uncounted: { succeeded: [], failed: [] } });
    for (const pod of ["a", "b"]) {
      story.podSucceeds(pod, 3, { tracked: true });
      story.podUntracked(pod);
    }
    story.jobFinished("Complete", "CompletionsReached", { succeeded: 1 });
    const { verdict, findings } = derive(story);
    expect(findings.map(({ kind }) => kind)).toContain("CompletionLost");
    expect(verdict.basis).toBe("reported");
  });

  it("stays what the Pods show where nothing was reported", () => {
    expect(derive(succeeded()).verdict).toMatchObject({ state: "Complete", basis: "observed" });
  });
});

/** Derives a story from its Pods and from their tally alone, on a server of this release. */
function both(story: Story, serverVersion?: string) {
  const { record, now } = story;
  const clusterContext = { ...story.clusterContext, ...(serverVersion !== undefined && { serverVersion }) };
  const tally = tallyPods(ownPods(record).values(), recordRules(record, clusterContext));
  return {
    fromPods: deriveRecord(record, { clusterContext, now, queriedAt: now }),
    fromTally: deriveTally({ job: record.job, tally, clusterContext, now }),
  };
}

/** A Job whose one Pod, with or without the finalizer, has failed too often. */
function exhausted(hasFinalizer: boolean): Story {
  const story = new Story();
  story.jobCreated({ backoffLimit: 0 });
  story.podFails("a", 1, 5, hasFinalizer ? { tracked: true } : {});
  return story;
}

describe("the release of the server", () => {
  it.each([
    ["v1.30.4", ["Failed"]],
    ["v1.31.0", ["FailureTarget", "Failed"]],
    [undefined, ["FailureTarget", "Failed"]],
  ])("%s decides that the conditions are %j", (serverVersion, types) => {
    const { fromPods, fromTally } = both(exhausted(true), serverVersion);
    expect(fromPods.status.status.conditions?.map(({ type }) => type)).toEqual(types);
    expect(fromTally.status).toEqual(fromPods.status);
  });

  it.each([
    ["v1.21.0", "untracked"],
    ["v1.24.0", "unknown"],
    ["v1.26.0", "tracked"],
    [undefined, "unknown"],
  ])("%s decides that Pods without a finalizer are %s", (serverVersion, tracking) => {
    const { fromPods, fromTally } = both(exhausted(false), serverVersion);
    expect([fromPods.status.tracking, fromTally.status.tracking]).toEqual([tracking, tracking]);
  });

  it("does not matter if one of its Pods has the finalizer", () => {
    const story = exhausted(true);
    story.podCreated("b");
    expect(recordRules(story.record, { serverVersion: "v1.21.0" }).tracking).toBe("tracked");
    expect(recordRules(exhausted(false).record, { serverVersion: "v1.21.0" }).tracking).toBe("untracked");
  });
});

describe("a Job that is derived from its tally", () => {
  it("waits as the Job itself shows while it has no Pod", () => {
    const story = new Story();
    story.jobCreated({ suspend: true });
    story.jobReported({ conditions: [{ type: "Suspended", status: "True" }] });
    const { fromPods, fromTally } = both(story);
    expect(fromPods.waiting).toBeDefined();
    expect(fromTally.waiting).toEqual(fromPods.waiting);
  });

  it("does not wait while a Pod is active, or when nothing holds it back", () => {
    const story = new Story();
    story.jobCreated();
    story.podCreated("a");
    story.podStarted("a");
    const { fromPods, fromTally } = both(story);
    expect("waiting" in fromPods).toBe(false);
    expect("waiting" in fromTally).toBe(false);
    expect("stopped" in fromPods).toBe(false);
  });

  it("has the same status and verdict as from its record, and no findings", () => {
    const story = halfDone();
    const { record, clusterContext, now } = story;
    const tally = tallyPods(ownPods(record).values(), recordRules(record, clusterContext));
    const derived = deriveTally({ job: record.job, tally, clusterContext, now });
    const { status, verdict } = derive(story);
    expect(derived).toMatchObject({ status, verdict, findings: [] });
  });
});
