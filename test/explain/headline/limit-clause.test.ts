import { describe, expect, it } from "vitest";
import { indexesText, limitClause } from "../../../src/explain/headline/limit-clause.ts";
import type { JobLimit } from "../../../src/job/findings/find-limit-reached.ts";

const failed = { failedIndexes: "1,3", failedCount: 2, byRule: [], takenPods: 0 };
const rule = { rule: 0, indexes: "3", count: 1 };

describe("the clause of a limit", () => {
  it.each<[JobLimit, string]>([
    [
      { limit: "activeDeadlineSeconds", seconds: 60, failedPods: 0, takenPods: 0, backoffLimit: 6 },
      "the Job's activeDeadlineSeconds (60 s) passed",
    ],
    [
      { limit: "activeDeadlineSeconds", failedPods: 0, takenPods: 0, backoffLimit: 6 },
      "the Job's activeDeadlineSeconds passed",
    ],
    [{ limit: "backoffLimitByPods", failedPods: 3, takenPods: 0, backoffLimit: 2 }, "backoffLimit (2) reached"],
    [
      { limit: "backoffLimitByRestarts", restarts: 3, backoffLimit: 3 },
      "backoffLimit (3) reached by restarts in place",
    ],
    [
      { limit: "podFailurePolicy", rule: 1, takenPods: 0, backoffLimit: 6 },
      "FailJob rule at index 1 of podFailurePolicy matched",
    ],
    [{ limit: "podFailurePolicy", takenPods: 0, backoffLimit: 6 }, "a FailJob rule of its podFailurePolicy matched"],
    [{ limit: "maxFailedIndexes", maxFailedIndexes: 1, ...failed }, "maxFailedIndexes (1) exceeded"],
    [
      { limit: "maxFailedIndexes", maxFailedIndexes: 1, ...failed, byRule: [rule] },
      "maxFailedIndexes (1) exceeded by FailIndex rule at index 0 of podFailurePolicy",
    ],
    [
      { limit: "backoffLimitPerIndex", backoffLimitPerIndex: 1, ...failed },
      "indexes 1,3 exceeded backoffLimitPerIndex (1)",
    ],
    [
      { limit: "backoffLimitPerIndex", backoffLimitPerIndex: 1, ...failed, byRule: [rule] },
      "indexes 1,3 failed by FailIndex rule at index 0 of podFailurePolicy, or exceeded backoffLimitPerIndex (1)",
    ],
    [
      {
        limit: "backoffLimitPerIndex",
        backoffLimitPerIndex: 9,
        ...failed,
        failedIndexes: "3",
        failedCount: 1,
        byRule: [rule],
      },
      "index 3 failed by FailIndex rule at index 0 of podFailurePolicy",
    ],
    [{ limit: "other", reason: "Unheard" }, "Kubernetes gives reason Unheard"],
    [{ limit: "other" }, "Kubernetes gives reason none"],
  ])("%o is: %s", (limit, full) => {
    expect(limitClause({ kind: "LimitReached", ended: "job", limit, evidence: [] })).toMatchObject([{ full }]);
  });

  it("of a FailIndex rule leaves out the place of the rule where the line is too long", () => {
    const indexes = { ...failed, failedIndexes: "3", failedCount: 1, byRule: [rule] };
    const limit = { limit: "backoffLimitPerIndex", backoffLimitPerIndex: 9, ...indexes } as const;
    const [clause] = limitClause({ kind: "LimitReached", ended: "job", limit, evidence: [] });
    expect(clause?.brief).toBe("index 3 failed by a FailIndex rule");
  });

  it.each([
    [{ pods: 1, seconds: 3 }, "1 Pod ran into the Pod's own activeDeadlineSeconds (3 s)"],
    [{ pods: 2 }, "2 Pods ran into the Pod's own activeDeadlineSeconds"],
  ])("of Pods: %o is: %s", (podDeadline, full) => {
    const finding = {
      kind: "LimitReached",
      ended: "pods",
      podCount: podDeadline.pods,
      podDeadline,
      evidence: [],
    } as const;
    expect(limitClause(finding)).toEqual([{ full }]);
  });
});

describe("indexes in a clause", () => {
  it.each([
    ["5", 1, "index 5"],
    ["1,3-5", 4, "indexes 1,3-5"],
    ["0,2,4,6,8,10,12,14,16,18,20,22,24", 13, "13 indexes"],
    ["", 0, "some indexes"],
  ])("%s (%i) are: %s", (indexes, count, text) => {
    expect(indexesText(indexes, count)).toBe(text);
  });
});
