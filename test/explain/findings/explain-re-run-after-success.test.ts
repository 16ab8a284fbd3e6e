import { describe, expect, it } from "vitest";
import type { ReRunAfterSuccess } from "../../../src/job/findings/find-re-run-after-success.ts";
import { AT, evidenceOf, explained } from "../../support/story/explained.ts";

const POD_GC = { actor: "pod-garbage-collector", confidence: "likely" } as const;

function reRun(more: Partial<ReRunAfterSuccess> = {}): ReRunAfterSuccess {
  const losses = [{ times: 1, by: POD_GC }];
  const counts = { podCount: 1, completions: 1, answeredDeletion: false, ranMillis: 5_000 };
  return { kind: "ReRunAfterSuccess", since: AT, ...counts, losses, evidence: [], ...more };
}

describe("re-runs after success in words", () => {
  it.each<[Partial<ReRunAfterSuccess>, string]>([
    [
      {},
      "1 needless re-run (5 s of running), the Pod before it deleted most likely by pod-garbage-collector " +
        "after it had succeeded.",
    ],
    [
      { podCount: 49, losses: [{ times: 49, by: { ...POD_GC, confidence: "certain" } }] },
      "49 needless re-runs (5 s of running), each Pod deleted by pod-garbage-collector after it had succeeded.",
    ],
    [
      { podCount: 2, losses: [{ times: 1, by: POD_GC }, { times: 1 }] },
      "2 needless re-runs (5 s of running), after 1 succeeded Pod deleted most likely by pod-garbage-collector " +
        "and 1 success reported Failed later.",
    ],
    [{ losses: [] }, "1 needless re-run (5 s of running), though nothing shows that a success was lost."],
    [
      { answeredDeletion: true },
      "1 Pod ran for 5 s in place of a deleted Pod, which had answered its deletion with exit code 0.",
    ],
  ])("%o", (more, message) => {
    expect(explained(reRun(more)).message).toBe(message);
  });

  it("name the threshold of Pod GC only where Pod GC deleted Pods", () => {
    expect(explained(reRun()).remedies.join()).toContain("--terminated-pod-gc-threshold");
    expect(explained(reRun({ losses: [{ times: 1 }] })).remedies).toHaveLength(1);
  });

  it("show what happened in turn", () => {
    const evidence = [
      evidenceOf({ what: "completed", successes: 1 } as const),
      evidenceOf({ what: "completed", successes: 3 } as const),
      evidenceOf({ what: "deleted", by: POD_GC } as const),
      evidenceOf({ what: "failedAfterSuccess" } as const),
      evidenceOf({ what: "created" } as const),
      evidenceOf({ what: "created", end: { phase: "Failed", ranMillis: 2_000 } } as const),
    ];
    expect(explained(reRun({ evidence })).details).toEqual([
      "succeeded: the Job was complete",
      "succeeded: it was success number 3, and the Job was complete",
      "was deleted most likely by pod-garbage-collector after it had succeeded",
      "was reported Failed after it had succeeded",
      "was created though the Job was complete",
      "was created though the Job was complete, and failed after 2 s",
    ]);
  });
});
