import { describe, expect, it } from "vitest";
import { findingClauses, stuckOutcome } from "../../../src/explain/headline/finding-clauses.ts";
import type { Finding } from "../../../src/explain/findings/findings.ts";
import { AT, POD } from "../../support/story/explained.ts";

const POD_GC = { actor: "pod-garbage-collector", confidence: "certain" } as const;
const counts = { completions: 1, ranMillis: 0, answeredDeletion: false };
const phantom: Finding = { kind: "PhantomRunning", proof: "containersEnded", podCount: 2, pods: [POD], evidence: [] };
const silent: Finding = { kind: "NodeUnreachable", podCount: 1, pods: [POD], since: AT, evidence: [] };
const pairs = { pairs: [], evidence: [] };

const PLACES = ["lost", "doubtful", "unknown", "rest", "limit", "behind"] as const;

function fullOf(finding: Finding): readonly string[] {
  return PLACES.flatMap((place) => findingClauses(finding, place)).map(({ full }) => full);
}

const RESTARTED = {
  kind: "ContainerRestarted",
  podCount: 2,
  restarts: 2,
  exitCodes: [],
  nodes: [],
  evidence: [],
} as const;

describe("the clause of a finding", () => {
  it.each<[Finding, readonly string[]]>([
    [
      {
        kind: "ReRunAfterSuccess",
        since: AT,
        podCount: 49,
        ...counts,
        losses: [{ times: 49, by: POD_GC }],
        evidence: [],
      },
      ["49 needless re-runs, each Pod deleted by pod-garbage-collector after it had succeeded"],
    ],
    [
      {
        kind: "ReRunAfterSuccess",
        since: AT,
        podCount: 1,
        ...counts,
        losses: [{ times: 1, by: POD_GC }],
        evidence: [],
      },
      ["1 needless re-run, the Pod before it deleted by pod-garbage-collector after it had succeeded"],
    ],
    [
      {
        kind: "ReRunAfterSuccess",
        since: AT,
        podCount: 2,
        ...counts,
        losses: [{ times: 1, by: POD_GC }, { times: 1 }],
        evidence: [],
      },
      ["2 needless re-runs"],
    ],
    [
      {
        kind: "ReRunAfterSuccess",
        since: AT,
        podCount: 1,
        ...counts,
        answeredDeletion: true,
        losses: [],
        evidence: [],
      },
      [],
    ],
    [phantom, ["2 Pods are phantom-running (render-a on node-a and 1 more)"]],
    [
      { ...phantom, proof: "none", afterMillis: 600_000 },
      ["2 Pods may be phantom-running: no change for 10 min (render-a on node-a and 1 more)"],
    ],
    [silent, ["node-a not ready since 2026-01-01T00:00:00Z"]],
    [
      { kind: "ContradictingStatus", contradictions: [], evidence: [] },
      ["the reported status contradicts itself or the Pods"],
    ],
    [
      { kind: "CompletionLost", loss: "ofCounter", podCount: 2, missing: 1, evidence: [] },
      ["Kubernetes lost 2 successes"],
    ],
    [{ kind: "SuccessFlipped", podCount: 1, evidence: [] }, ["1 Pod became Failed after succeeding"]],
    [{ kind: "DuplicateExecution", certain: true, times: 1, ...pairs }, ["the same work ran twice"]],
    [
      { kind: "DuplicateExecution", certain: false, times: 3, ...pairs },
      ["the same work, 3 times, may have run twice"],
    ],
    [{ kind: "OutcomeUnknown", podCount: 2, evidence: [] }, ["the outcome of 2 Pods is unknown"]],
    [
      { kind: "SidecarHoldsPod", podCount: 1, stillHeld: 1, workFailed: false, evidence: [] },
      ["another container keeps 1 Pod running after the work ended"],
    ],
    [
      { kind: "FinalizerStuck", stuck: "job", waitedMillis: 1, finalizers: [], evidence: [] },
      ["a finalizer holds up a deletion"],
    ],
    [
      { kind: "FinalizerStuck", stuck: "pods", podCount: 2, afterMillis: 1, evidence: [] },
      ["2 ended Pods still carry the tracking finalizer"],
    ],
    [{ ...RESTARTED, wholePods: 1, unexplainedPods: 0 }, []],
    [{ ...RESTARTED, wholePods: 2, unexplainedPods: 2 }, ["a rule restarted all containers of 2 Pods"]],
  ])("%o", (finding, texts) => {
    expect(fullOf(finding)).toEqual(texts);
  });
});

describe("what stuck Pods come to", () => {
  it.each<[readonly Finding[], readonly string[]]>([
    [[silent], ["its outcome is unknown, not failed"]],
    [[silent, phantom], ["their outcome is unknown, not failed"]],
    [[{ kind: "PhantomRunning", proof: "none", afterMillis: 1, podCount: 1, evidence: [] }], []],
    [[], []],
  ])("%#", (findings, texts) => {
    expect(stuckOutcome(findings).map(({ full }) => full)).toEqual(texts);
  });
});
