import { describe, expect, it } from "vitest";
import type { StatusContradiction } from "../../../src/job/findings/find-contradicting-status.ts";
import { evidenceOf, explained } from "../../support/story/explained.ts";

describe("a contradicting status in words", () => {
  it.each<[StatusContradiction, string]>([
    [
      { contradiction: "abovePods", counter: "succeeded", reported: 3, pods: 1 },
      "succeeded is 3, and only 1 Pod can have succeeded",
    ],
    [{ contradiction: "conditions", types: ["Complete", "Failed"] }, "conditions Complete and Failed are both True"],
    [
      { contradiction: "indexes", succeeded: 2, completedIndexes: 1 },
      "succeeded is 2, and completedIndexes has 1 index",
    ],
    [{ contradiction: "completeBelow", succeeded: 1, completions: 5 }, "the Job is Complete with 1 of 5 completions"],
    [{ contradiction: "backwards", counter: "failed", from: 2, to: 0 }, "failed fell from 2 to 0"],
    [{ contradiction: "finishWithdrawn", type: "Complete" }, "the Job was Complete, and the condition was removed"],
  ])("%o", (contradiction, text) => {
    const { message } = explained({ kind: "ContradictingStatus", contradictions: [contradiction], evidence: [] });
    expect(message).toBe(`The reported status contradicts itself or the Pods: ${text}.`);
  });

  it("shows what was reported, and asks who else writes it", () => {
    const evidence = [
      evidenceOf({ what: "reported", succeeded: 3, failed: 0 } as const),
      evidenceOf({ what: "finished", type: "Complete" } as const),
    ];
    const { details, remedies } = explained({ kind: "ContradictingStatus", contradictions: [], evidence });
    expect(details).toEqual(["was reported with succeeded 3 and failed 0", "was reported Complete"]);
    expect(remedies.join()).toContain("audit log");
  });
});
