import { describe, expect, it } from "vitest";
import type { Waiting } from "../../../src/explain/answer-document.ts";
import { ownWaiting, waitingOf } from "../../../src/explain/run/run-waiting.ts";

const waiting = (since: string, reason: Waiting["reason"] = "Unschedulable"): Waiting => ({
  reason,
  message: "no node fits",
  since,
  podCount: 1,
  evidence: [],
});
const job = (name: string) => ({ uid: name, name, createdAt: 0, state: "Running" as const });
const running = { state: "Running", final: false, basis: "both" } as const;
const EARLY = "2026-01-01T00:00:00Z";
const LATE = "2026-01-01T01:00:00Z";

describe("why a run does not run", () => {
  it("is what its queue lacks", () => {
    const queue = { name: "main", waits: [{ from: EARLY, reason: "Pending" }], admittedAt: [], evictions: [] };
    expect(waitingOf({ ...running, state: "Queued" }, queue, [])).toEqual({
      reason: "Queued",
      message: "queued by Kueue in queue main: Pending",
      since: EARLY,
      podCount: 0,
      evidence: [],
    });
  });

  it("is otherwise the Job that has waited longest", () => {
    const members = [
      [job("a"), { waiting: waiting(LATE) }],
      [job("b"), { waiting: waiting(EARLY) }],
      [job("c"), undefined],
    ] as const;
    expect(waitingOf(running, undefined, members)).toMatchObject({ job: "b", since: EARLY });
  });

  it("is nothing for a run that has ended", () => {
    const members = [[job("a"), { waiting: waiting(LATE) }]] as const;
    expect(waitingOf({ ...running, final: true }, undefined, members)).toBeUndefined();
  });

  it("is not that its Jobs are suspended, which the run says", () => {
    expect(ownWaiting({ waiting: waiting(LATE, "Suspended") })).toBeUndefined();
    expect(ownWaiting({ waiting: waiting(LATE) })).toEqual(waiting(LATE));
    expect(ownWaiting({})).toBeUndefined();
  });
});
