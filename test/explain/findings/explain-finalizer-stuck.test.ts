import { describe, expect, it } from "vitest";
import type { FinalizerStuck } from "../../../src/job/findings/find-finalizer-stuck.ts";
import { evidenceOf, explained, POD } from "../../support/story/explained.ts";

const ended = [evidenceOf({ what: "endedWithFinalizer" } as const)];
const held = [evidenceOf({ what: "heldByFinalizers", finalizers: ["example.com/guard"] } as const)];

describe("a finalizer that is stuck, in words", () => {
  it.each<[FinalizerStuck, string, string]>([
    [
      { kind: "FinalizerStuck", stuck: "pods", podCount: 1, afterMillis: 600_000, pods: [POD], evidence: ended },
      "1 Pod ended more than 10 min ago and still carries the tracking finalizer (render-a): " +
        "the Job controller has not removed it.",
      "ended, with the tracking finalizer still on",
    ],
    [
      {
        kind: "FinalizerStuck",
        stuck: "job",
        waitedMillis: 600_000,
        finalizers: ["example.com/guard"],
        evidence: held,
      },
      "The Job was marked for deletion 10 min ago, and still has the finalizer example.com/guard.",
      "was marked for deletion, with the finalizer example.com/guard",
    ],
  ])("%#", (finding, message, detail) => {
    expect(explained(finding)).toMatchObject({ message, details: [detail] });
    expect(explained(finding).remedies).toHaveLength(1);
  });
});
