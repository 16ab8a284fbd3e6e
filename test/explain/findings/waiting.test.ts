import { describe, expect, it } from "vitest";
import { longWaiting, WAITING_AFTER_MS } from "../../../src/explain/findings/waiting.ts";
import type { Waiting } from "../../../src/job/cause/waiting-cause.ts";
import { AT, explained, POD } from "../../support/story/explained.ts";

const waiting: Waiting = {
  reason: "Unschedulable",
  why: { cause: "suspended" },
  since: AT,
  pods: [POD],
  podCount: 1,
  running: 0,
  evidence: [],
};

describe("the finding of a long wait", () => {
  it.each([
    [0, "The Job has been waiting since 2026-01-01T00:00:00Z: suspended."],
    [1, "1 Pod has been waiting since 2026-01-01T00:00:00Z: suspended."],
    [2, "2 Pods have been waiting since 2026-01-01T00:00:00Z: suspended."],
  ])("counts %i Pods", (podCount, message) => {
    expect(explained({ kind: "Waiting", waiting, podCount, evidence: [] }).message).toBe(message);
  });

  it.each<[string, Partial<Waiting>, number, number]>([
    ["none before the threshold", {}, WAITING_AFTER_MS - 1, 0],
    ["one from the threshold on", {}, WAITING_AFTER_MS, 1],
    ["none of a Job that waits on purpose", { reason: "Suspended" }, WAITING_AFTER_MS, 0],
  ])("is %s", (_, more, waited, findings) => {
    const { rule } = longWaiting;
    const found = rule.of === "waitingJob" ? rule.find({ ...waiting, ...more }, { now: AT + waited }) : undefined;
    expect(found).toHaveLength(findings);
  });
});
