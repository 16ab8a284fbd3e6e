import type { JobLimit } from "../../../src/job/evidence/job-limit.ts";
import type { LimitReached } from "../../../src/explain/findings/limit-reached.ts";
import { findingClauses } from "../../../src/explain/headline/finding-clauses.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";
import { describe, expect, it } from "vitest";

const indexes = { failedIndexes: "1,3", failedCount: 2, byRule: [], takenPods: 0 };
const byRule = [{ rule: 2, indexes: "3", count: 1 }];

describe("the limit that ended a Job, in words", () => {
  it.each<[JobLimit, string]>([
    [
      { limit: "activeDeadlineSeconds", seconds: 60, ranMillis: 61_000, failedPods: 1, takenPods: 2, backoffLimit: 6 },
      "The Job's activeDeadlineSeconds (60 s) ended it, 1 min 1 s after its start; backoffLimit (6) was not reached: " +
        "1 Pod had failed before; 2 more Pods were deleted with the Job's end, counted as failed too.",
    ],
    [
      { limit: "backoffLimitByPods", failedPods: 3, takenPods: 0, backoffLimit: 2 },
      "The back-off limit ended the Job, by Pods: 3 Pods failed, backoffLimit (2).",
    ],
    [
      {
        limit: "backoffLimitByPods",
        failedPods: 1,
        takenPods: 1,
        backoffLimit: 0,
        deadline: { seconds: 60, ranMillis: 9_000 },
      },
      "The back-off limit ended the Job, by Pods: 1 Pod failed, backoffLimit (0); " +
        "the Job's activeDeadlineSeconds (60 s) had not run out, it stood at 9 s; " +
        "1 more Pod was deleted with the Job's end, counted as failed too.",
    ],
    [
      { limit: "backoffLimitByRestarts", restarts: 3, backoffLimit: 3 },
      "The back-off limit ended the Job, by restarts in place: 3 restarts, backoffLimit (3); " +
        "restarts do not show in status.failed, and the Pod was removed with its logs.",
    ],
    [
      { limit: "podFailurePolicy", rule: 1, takenPods: 0, backoffLimit: 6 },
      "The pod failure policy ended the Job: its FailJob rule at index 1 matched; backoffLimit (6) did not apply.",
    ],
    [
      { limit: "podFailurePolicy", takenPods: 1, backoffLimit: 6 },
      "The pod failure policy ended the Job: a FailJob rule matched; backoffLimit (6) did not apply; " +
        "1 more Pod was deleted with the Job's end, counted as failed too.",
    ],
    [
      { limit: "maxFailedIndexes", maxFailedIndexes: 1, ...indexes, byRule },
      "maxFailedIndexes (1) ended the Job: indexes 1,3 had failed for good; " +
        "the FailIndex rule at index 2 of podFailurePolicy failed index 3.",
    ],
    [
      { limit: "backoffLimitPerIndex", backoffLimitPerIndex: 1, ...indexes },
      "The limit per index failed the Job: indexes 1,3 failed more often than backoffLimitPerIndex (1) allows; " +
        "the others are done.",
    ],
    [
      { limit: "backoffLimitPerIndex", backoffLimitPerIndex: 1, ...indexes, byRule },
      "The limit per index failed the Job: indexes 1,3 failed for good; " +
        "the FailIndex rule at index 2 of podFailurePolicy failed index 3; " +
        "backoffLimitPerIndex is 1; the others are done.",
    ],
    [{ limit: "other", reason: "Unheard" }, "The Job failed (Unheard)."],
    [{ limit: "other", message: "why" }, "The Job failed (no reason given): why."],
  ])("%o", (limit, message) => {
    const { message: text, remedies } = explained({ kind: "LimitReached", ended: "job", limit, evidence: [] });
    expect(text).toBe(message);
    // Those of the cause fit; raising a limit helps against few failures.
    expect(remedies).toEqual([]);
  });

  it.each<[LimitReached & { ended: "pods" }, string]>([
    [
      {
        kind: "LimitReached",
        ended: "pods",
        podCount: 1,
        pods: [POD],
        podDeadline: { pods: 1, seconds: 3 },
        evidence: [],
      },
      "1 Pod ran into the Pod's own activeDeadlineSeconds (3 s), which is not the Job's: that has none (render-a).",
    ],
    [
      {
        kind: "LimitReached",
        ended: "pods",
        podCount: 2,
        pods: [POD],
        podDeadline: { pods: 2, jobSeconds: 60 },
        evidence: [
          evidenceOf({ what: "podEnded", phase: "Failed", exitCode: 137 } as const),
          evidenceOf({ what: "jobCondition", type: "Failed" } as const),
        ],
      },
      "2 Pods ran into the Pod's own activeDeadlineSeconds, not the Job's (60 s) (render-a and 1 more).",
    ],
  ])("%#", (finding, message) => {
    expect(explained(finding).message).toBe(message);
  });

  it("shows how Pods ended and what was reported", () => {
    const evidence = [
      evidenceOf({ what: "podEnded", phase: "Failed", exitCode: 137 } as const),
      evidenceOf({ what: "jobCondition", type: "Failed", reason: "BackoffLimitExceeded" } as const),
      evidenceOf({ what: "jobCondition", type: "Failed" } as const),
    ];
    expect(explained({ kind: "LimitReached", ended: "job", limit: { limit: "other" }, evidence }).details).toEqual([
      "failed with exit code 137",
      "was reported Failed (BackoffLimitExceeded)",
      "was reported Failed (no reason)",
    ]);
  });
});

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
    expect(findingClauses({ kind: "LimitReached", ended: "job", limit, evidence: [] }, "limit")).toMatchObject([
      { full },
    ]);
  });

  it("of a FailIndex rule leaves out the place of the rule where the line is too long", () => {
    const indexes = { ...failed, failedIndexes: "3", failedCount: 1, byRule: [rule] };
    const limit = { limit: "backoffLimitPerIndex", backoffLimitPerIndex: 9, ...indexes } as const;
    const [clause] = findingClauses({ kind: "LimitReached", ended: "job", limit, evidence: [] }, "limit");
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
    expect(findingClauses(finding, "limit")).toEqual([{ full }]);
  });
});

describe("indexes in a clause", () => {
  it.each([
    ["5", 1, "index 5"],
    ["1,3-5", 4, "indexes 1,3-5"],
    ["0,2,4,6,8,10,12,14,16,18,20,22,24", 13, "13 indexes"],
    ["", 0, "some indexes"],
  ])("%s (%i) are: %s", (failedIndexes, failedCount, text) => {
    const limit = { limit: "maxFailedIndexes", maxFailedIndexes: 1, ...failed, failedIndexes, failedCount } as const;
    const { message } = explained({ kind: "LimitReached", ended: "job", limit, evidence: [] });
    expect(message).toContain(`: ${text} had failed for good`);
  });
});
