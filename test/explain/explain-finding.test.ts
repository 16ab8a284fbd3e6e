import { describe, expect, it } from "vitest";
import { explainFinding, presentFinding, remediesFor } from "../../src/explain/explain-finding.ts";
import type { Finding } from "../../src/explain/findings/findings.ts";
import { AT, evidenceOf, POD } from "../support/story/explained.ts";

const evidence = [evidenceOf({ what: "succeeded" } as const)];
const flipped: Finding = { kind: "SuccessFlipped", podCount: 2, pods: [POD], since: AT, evidence };

describe("a finding", () => {
  it("is explained once", () => {
    expect(explainFinding(flipped)).toBe(explainFinding(flipped));
  });

  it("has its kind, its Pods and its time in an answer", () => {
    expect(presentFinding(flipped)).toEqual({
      kind: "SuccessFlipped",
      message: "2 Pods had succeeded and were reported Failed later (render-a and 1 more): they stay successes.",
      since: "2026-01-01T00:00:00Z",
      pods: [POD],
      podCount: 2,
      evidence: [
        {
          kind: "PodObserved",
          time: "2026-01-01T00:00:00Z",
          resourceVersion: "7",
          object: "pod/render-a",
          detail: "succeeded",
        },
      ],
    });
  });

  it("has no fields that it has no value for", () => {
    const { message: _, ...presented } = presentFinding({
      kind: "ContradictingStatus",
      contradictions: [],
      evidence: [],
    });
    expect(presented).toEqual({ kind: "ContradictingStatus", evidence: [] });
  });

  it("has remedies, each once", () => {
    const unknown: Finding = { kind: "OutcomeUnknown", podCount: 1, pods: [POD], evidence: [] };
    expect(remediesFor([flipped, unknown, flipped])).toHaveLength(2);
  });
});
