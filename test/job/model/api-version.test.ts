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
    ["is the latest that its spec proves", { podFailurePolicy: { rules: [] }, managedBy: "example.com/other" }, {}, 30],
    ["is the later one of spec and status", { podFailurePolicy: { rules: [] } }, { terminating: 0 }, 28],
    [
      "is the later one of status and spec",
      { backoffLimitPerIndex: 1 },
      { uncounted: { succeeded: [], failed: [] } },
      28,
    ],
    ["writes SuccessCriteriaMet since 1.30", {}, { conditions: [{ type: "SuccessCriteriaMet", status: "True" }] }, 30],
  ])("%s", (_, spec, status, atLeast) => {
    const story = new Story();
    story.jobCreated(spec);
    story.jobReported(status);
    expect(apiVersionOf(story.record.job)).toEqual({ atLeast });
  });

  it.each([
    ["v1.24.17", 30],
    ["v1.33.1", 33],
    ["", 30],
  ])("is at least the one that %j and the fields of the Job prove", (version, atLeast) => {
    const story = new Story();
    story.jobCreated({ managedBy: "example.com/other" });
    expect(apiVersionOf(story.record.job, version).atLeast).toBe(atLeast);
  });

  it.each([
    ["v1.24.17", 24, false],
    ["v1.31.0-eks-a1b2", 31, true],
    ["1.30.4+k3s1", 30, false],
    ["v1.9.0", 9, false],
    ["1.131.0", 131, true],
    ["v1.1310.0", undefined, true],
    ["av1.30.0", undefined, true],
    ["v2.0.0", undefined, true],
    ["", undefined, true],
  ])("%j is minor %s", (version, minor, interim) => {
    const found = apiVersionOf(new Story().record.job, version);
    expect(found.minor).toBe(minor);
    expect(hasInterimConditions(found)).toBe(interim);
  });
});
