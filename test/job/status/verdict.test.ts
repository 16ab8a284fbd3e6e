import { describe, expect, it } from "vitest";
import type { Interval } from "../../../src/job/accounting/index-set.ts";
import type { KnownTotals } from "../../../src/job/accounting/known-totals.ts";
import { EMPTY_TALLY } from "../../../src/job/accounting/pod-tally.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { decideVerdict, type VerdictInput } from "../../../src/job/status/verdict.ts";

const now = Date.UTC(2026, 0, 1);
const spec: JobSpec = {
  parallelism: 2,
  completions: 2,
  completionMode: "NonIndexed",
  backoffLimit: 6,
  suspend: false,
  restartPolicy: "Never",
};
const indexed: JobSpec = { ...spec, completionMode: "Indexed" };

function totals(succeeded: number, failed: number, failedIndexes: readonly Interval[] = []): KnownTotals {
  const completedIndexes: readonly Interval[] = succeeded === 0 ? [] : [[0, succeeded - 1]];
  const counts = { succeeded, failed, completedIndexes, failedIndexes };
  return {
    ...counts,
    failedWithoutHeld: failed,
    failedUponFailure: failed,
    own: { ...counts, neverCounted: 0, recent: [] },
  };
}

function decide(input: Partial<VerdictInput>): string | undefined {
  const none = { spec, reported: undefined, totals: totals(0, 0), tally: EMPTY_TALLY };
  return decideVerdict({ ...none, againstLimit: 0, deleting: false, now, ...input })?.reason;
}

const failJob = [{ epoch: 0, resourceVersion: decodeResourceVersion("7"), message: "exit code 42" }].flatMap(
  ({ resourceVersion, ...seen }) => (resourceVersion === undefined ? [] : [{ ...seen, resourceVersion }]),
);
const pastDeadline = { startTime: now - 60_000, conditions: [] };

describe("the decision about a Job", () => {
  it.each<readonly [string, Partial<VerdictInput>, string | undefined]>([
    ["is open without ended Pods", {}, undefined],
    ["is open at the back-off limit", { againstLimit: 6 }, undefined],
    ["is failure above the back-off limit", { againstLimit: 7 }, "BackoffLimitExceeded"],
    ["is open below its completions", { totals: totals(1, 0) }, undefined],
    ["is success at its completions", { totals: totals(2, 0) }, "CompletionsReached"],
    [
      "is open one millisecond before the deadline",
      { spec: { ...spec, activeDeadlineSeconds: 60 }, reported: pastDeadline, now: now - 1 },
      undefined,
    ],
    [
      "is failure at the deadline",
      { spec: { ...spec, activeDeadlineSeconds: 60 }, reported: pastDeadline },
      "DeadlineExceeded",
    ],
    ["is failure by a FailJob rule", { tally: { ...EMPTY_TALLY, failJob } }, "PodFailurePolicy"],
    [
      "is failure when all indexes ended and one failed",
      { spec: { ...indexed, backoffLimitPerIndex: 0 }, totals: totals(1, 1, [[1, 1]]) },
      "FailedIndexes",
    ],
    [
      "is failure above the maximum of failed indexes",
      { spec: { ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }, totals: totals(0, 1, [[1, 1]]) },
      "MaxFailedIndexesExceeded",
    ],
    [
      "is success when the success policy is met",
      { spec: { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } }, totals: totals(1, 0) },
      "SuccessPolicy",
    ],
  ])("%s", (_, input, reason) => {
    expect(decide(input)).toBe(reason);
  });
});

describe("of several possible decisions", () => {
  it("failure precedes success", () => {
    expect(decide({ totals: totals(2, 7), againstLimit: 7 })).toBe("BackoffLimitExceeded");
  });

  it("a FailJob rule precedes the back-off limit", () => {
    expect(decide({ tally: { ...EMPTY_TALLY, failJob }, againstLimit: 7 })).toBe("PodFailurePolicy");
  });

  it("the back-off limit precedes the deadline", () => {
    const limited = { ...spec, activeDeadlineSeconds: 60 };
    expect(decide({ spec: limited, reported: pastDeadline, againstLimit: 7 })).toBe("BackoffLimitExceeded");
  });

  it("the success policy precedes the completions", () => {
    const policy = { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } };
    expect(decide({ spec: policy, totals: totals(2, 0) })).toBe("SuccessPolicy");
  });

  it.each([
    ["SuccessCriteriaMet", "success"],
    ["FailureTarget", "failure"],
  ] as const)("a written %s is final", (type, end) => {
    const reported = { conditions: [{ type, status: "True", reason: "Written", message: "m" }] };
    const input = { spec, reported, totals: totals(2, 0), tally: EMPTY_TALLY };
    const decision = decideVerdict({ ...input, againstLimit: 7, deleting: false, now });
    expect(decision).toEqual({ end, reason: "Written", message: "m" });
  });

  it("a condition with status False decides nothing", () => {
    const reported = { conditions: [{ type: "SuccessCriteriaMet", status: "False" }] };
    expect(decide({ reported })).toBeUndefined();
  });
});
