import { describe, expect, it } from "vitest";
import { apiVersionOf, hasInterimConditions } from "../../../src/job/model/api-version.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import type { ReportedStatus } from "../../../src/job/model/reported-status.ts";
import { Story } from "../../support/story/story.ts";

describe("the release of the server that wrote a Job", () => {
  it.each<readonly [string, Partial<JobSpec>, Partial<ReportedStatus>, number]>([
    ["is unknown for a Job without optional fields", {}, {}, 0],
    ["writes the uncounted lists since 1.22", {}, { uncounted: { succeeded: [], failed: [] } }, 22],
    ["has podFailurePolicy since 1.25", { podFailurePolicy: { rules: [] } }, {}, 25],
    ["has podReplacementPolicy since 1.28", { podReplacementPolicy: "Failed" }, {}, 28],
    ["counts terminating Pods since 1.28", {}, { terminating: 0 }, 28],
    ["has backoffLimitPerIndex since 1.28", { backoffLimitPerIndex: 1 }, {}, 28],
    ["lists failed indexes since 1.28", {}, { failedIndexes: "1" }, 28],
    ["writes FailureTarget since 1.25", {}, { conditions: [{ type: "FailureTarget", status: "True" }] }, 25],
    ["has successPolicy since 1.30", { successPolicy: { rules: [] } }, {}, 30],
    ["has managedBy since 1.30", { managedBy: "somebody" }, {}, 30],
    ["writes SuccessCriteriaMet since 1.30", {}, { conditions: [{ type: "SuccessCriteriaMet", status: "True" }] }, 30],
  ])("%s", (_, spec, status, atLeast) => {
    const story = new Story();
    story.jobCreated(spec);
    story.jobReported(status);
    expect(apiVersionOf(story.record.job)).toEqual({ atLeast });
  });

  it.each([
    ["v1.24.17", 24, false],
    ["v1.31.0-eks-a1b2", 31, true],
    ["1.30.4+k3s1", 30, false],
    ["v2.0.0", undefined, true],
    ["", undefined, true],
  ])("%j is minor %s", (version, minor, interim) => {
    const found = apiVersionOf(new Story().record.job, version);
    expect(found.minor).toBe(minor);
    expect(hasInterimConditions(found)).toBe(interim);
  });
});
