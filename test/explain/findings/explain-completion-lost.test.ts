import { describe, expect, it } from "vitest";
import type { CompletionLost } from "../../../src/job/findings/find-completion-lost.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";

const SAFE = "Make the work safe to run twice: Kubernetes may run it again for a success it did not count.";
const FINALIZER = "Let only the Job controller remove the finalizer batch.kubernetes.io/job-tracking.";
type OfPods = Extract<CompletionLost, { loss: "ofPods" }>;

function ofPods(more: Partial<OfPods> = {}): CompletionLost {
  const evidence = [evidenceOf({ what: "finalizerOff" } as const)];
  return { kind: "CompletionLost", loss: "ofPods", podCount: 1, countedAs: "nothing", pods: [POD], evidence, ...more };
}

describe("a lost success in words", () => {
  it.each<[CompletionLost, string, readonly string[]]>([
    [ofPods(), "1 Pod succeeded, and Kubernetes lost that (render-a): it is not counted.", [FINALIZER, SAFE]],
    [
      ofPods({ podCount: 3, countedAs: "either" }),
      "3 Pods succeeded, and Kubernetes lost the successes (render-a and 2 more): " +
        "each is not counted, or counted as failed.",
      [FINALIZER, SAFE],
    ],
    [
      ofPods({ countedAs: "failed", evidence: [evidenceOf({ what: "deletionCountedAsFailure" })] }),
      "1 Pod succeeded, and Kubernetes lost that (render-a): it is counted as failed.",
      [SAFE],
    ],
    [
      { kind: "CompletionLost", loss: "ofCounter", podCount: 5, missing: 2, evidence: [] },
      "5 Pods succeeded, and Kubernetes counted 3: 2 successes lost, " +
        "most likely because the tracking finalizer was removed by hand.",
      [FINALIZER, SAFE],
    ],
  ])("%#", (finding, message, remedies) => {
    expect(explained(finding)).toMatchObject({ message, remedies });
  });

  it.each([
    ["succeeded", "succeeded"],
    ["failedBeforeCounted", "was reported Failed before it was counted"],
    ["deletionCountedAsFailure", "was marked for deletion, and counted as failed for that"],
    ["finalizerOff", "was without the tracking finalizer"],
    ["replaced", "was without the tracking finalizer; another Pod was created for its work after that"],
  ] as const)("shows %s as: %s", (what, detail) => {
    expect(explained(ofPods({ evidence: [evidenceOf({ what })] })).details).toEqual([detail]);
  });
});
