import { describe, expect, it } from "vitest";
import { countingRulesOf, tallyRulesOf } from "../../../src/job/accounting/counting-rules.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { Story } from "../../support/story/story.ts";

const noEvidence = { podTracked: false };

function jobOf(spec: Partial<JobSpec>): Story {
  const story = new Story();
  story.jobCreated(spec);
  story.jobTracked();
  return story;
}

describe("the counting rules of a Job", () => {
  it("contain completions only in Indexed mode", () => {
    const indexed = jobOf({ completionMode: "Indexed", completions: 4 });
    expect(countingRulesOf(indexed.record.job, noEvidence).completions).toBe(4);
    expect(countingRulesOf(jobOf({ completions: 4 }).record.job, noEvidence)).not.toHaveProperty("completions");
  });

  it.each<readonly [string, Partial<JobSpec>, "eager" | "waiting"]>([
    ["without policies", {}, "eager"],
    ["with podReplacementPolicy Failed", { podReplacementPolicy: "Failed" }, "waiting"],
    ["with a pod failure policy without rules", { podFailurePolicy: { rules: [] } }, "waiting"],
    ["with another manager", { podReplacementPolicy: "Failed", managedBy: "example.com/queue" }, "eager"],
  ])("of a Job %s have the right replacement mode", (_, spec, mode) => {
    expect(countingRulesOf(jobOf(spec).record.job, noEvidence).mode).toBe(mode);
  });

  it("contain nothing of the spec if the controller does not sync the Job", () => {
    const spec = { completionMode: "Custom", completions: 4, successPolicy: { rules: [] }, backoffLimitPerIndex: 1 };
    const rules = countingRulesOf(jobOf(spec).record.job, noEvidence);
    expect(rules).toMatchObject({ mode: "eager", successPolicy: false });
    expect(rules).not.toHaveProperty("completions");
    expect(rules).not.toHaveProperty("backoffLimitPerIndex");
  });

  it("contain the policies that decide about Pods", () => {
    const podFailurePolicy = { rules: [{ action: "Ignore" }] };
    const spec = { podFailurePolicy, backoffLimitPerIndex: 1, successPolicy: { rules: [] } };
    const expected = { podFailurePolicy, backoffLimitPerIndex: 1, successPolicy: true };
    expect(countingRulesOf(jobOf(spec).record.job, noEvidence)).toMatchObject(expected);
  });

  it("are unknown to a Job that was not observed, except its tracking", () => {
    const rules = countingRulesOf(new Story().record.job, { podTracked: true });
    expect(rules).toMatchObject({ tracking: "tracked", reported: false, mode: "eager" });
    expect(rules).not.toHaveProperty("namespace");
  });
});

describe("the text of the counting rules", () => {
  it("stays the same when only the counters of the status change", () => {
    const story = jobOf({ completions: 3 });
    story.jobReported({ active: 1 });
    const before = tallyRulesOf(story.record.job, noEvidence);
    story.jobReported({ active: 0, succeeded: 3, conditions: [{ type: "Complete", status: "True" }] });
    expect(tallyRulesOf(story.record.job, noEvidence)).toBe(before);
  });

  it("changes when an elastic Job is scaled", () => {
    const story = jobOf({ completionMode: "Indexed", completions: 3, parallelism: 3 });
    const before = tallyRulesOf(story.record.job, noEvidence);
    story.jobSpecified({ completions: 2, parallelism: 2 }, 2);
    expect(tallyRulesOf(story.record.job, noEvidence)).not.toBe(before);
  });

  it("changes with the first report, which covers Pods that ended earlier", () => {
    const story = jobOf({});
    const before = tallyRulesOf(story.record.job, noEvidence);
    story.jobReported({});
    expect(tallyRulesOf(story.record.job, noEvidence)).not.toBe(before);
  });

  it("changes when a Pod shows that the Job is tracked", () => {
    const story = new Story();
    story.jobCreated();
    const { job } = story.record;
    expect(tallyRulesOf(job, { podTracked: true })).not.toBe(tallyRulesOf(job, noEvidence));
  });
});
