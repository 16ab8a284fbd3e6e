import { describe, expect, it } from "vitest";
import type { QueueAnswer } from "../../../src/explain/answer-document.ts";
import {
  evictionClauses,
  isDeactivated,
  missingText,
  openWait,
  queueSentences,
  waitText,
} from "../../../src/explain/run/queue-text.ts";
import { isTrue, parentDeleted, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const AT = "2026-01-01T00:00:00Z";
const LATER = "2026-01-01T00:00:14Z";
const queue = (said: Partial<QueueAnswer> = {}): QueueAnswer => ({
  name: "main",
  waits: [],
  admittedAt: [],
  evictions: [],
  ...said,
});
const preempted = (by?: QueueAnswer["evictions"][number]["by"]) => ({
  at: AT,
  reason: "Preempted",
  ...(by !== undefined && { by }),
});
const workload = (...conditions: Parameters<typeof isTrue>[]) =>
  parentOf([parentObserved({ of: "Workload", conditions: conditions.map((one) => isTrue(...one)) })]);

describe("what a queue waits for", () => {
  it.each([
    [{ resource: "cpu", flavor: "default" }, "not enough cpu is free"],
    [{ resource: "cpu", flavor: "default", exceeds: "quota" }, "it requests more cpu than the queue can have"],
    [{ missing: "LocalQueue" }, "the LocalQueue does not exist"],
    [{ inactive: "ClusterQueue" }, "the ClusterQueue is inactive"],
    [{ topology: "rack" }, "no place for its Pods in topology rack"],
    [undefined, undefined],
  ])("by %o is: %s", (details, text) => {
    expect(waitText(details)).toBe(text);
  });

  it("is open until it is admitted", () => {
    const open = { from: AT, reason: "Pending" };
    expect([openWait(queue({ waits: [open] })), openWait(queue({ waits: [{ ...open, to: LATER }] }))]).toEqual([
      open,
      undefined,
    ]);
  });
});

describe("evictions", () => {
  it("name who preempted a run, where the reader may see that", () => {
    const by = { kind: "Job", namespace: "ml", name: "canary", uid: "u" };
    expect(evictionClauses(queue({ evictions: [preempted(by), preempted({ kind: "Workload", uid: "u" })] }))).toEqual([
      { full: "preempted twice by Job canary", brief: "preempted twice" },
    ]);
    expect(evictionClauses(queue({ evictions: [preempted()] }))[0]?.full).toBe("preempted once");
  });

  it("have Kueue's reason if it is a new one", () => {
    expect(evictionClauses(queue({ evictions: [{ at: AT, reason: "Novel" }] }))[0]?.full).toBe("evicted (Novel) once");
  });

  it("may have deactivated it, as long as it waits", () => {
    const evictions = [{ at: AT, reason: "DeactivatedDueToRequeuingLimitExceeded" }];
    const waits = [{ from: AT, reason: "Pending" }];
    expect(isDeactivated(queue({ evictions, waits }))).toBe(true);
    expect(isDeactivated(queue({ evictions, waits: [{ ...waits[0], from: AT, reason: "Pending", to: LATER }] }))).toBe(
      false,
    );
    expect(isDeactivated(undefined)).toBe(false);
  });
});

describe("what an admission lacks", () => {
  it("is an admission check, ready Pods, or a gate", () => {
    expect(missingText(workload(["QuotaReserved", 1]))).toBe("its quota is reserved, an admission check is open");
    expect(
      missingText(workload(["QuotaReserved", 1], ["Admitted", 1], ["PodsReady", 2_000, { status: "False" }])),
    ).toBe("admitted, but not all Pods are ready since 1970-01-01T00:00:02Z");
    expect(missingText(workload(["BlockedOnPreemptionGates", 1]))).toBe(
      "its preemption of others is blocked by a gate",
    );
  });

  it("is nothing for one that is finished, deleted or complete", () => {
    const both: Parameters<typeof isTrue>[] = [
      ["QuotaReserved", 1],
      ["Finished", 2],
    ];
    expect(missingText(workload(...both))).toBeUndefined();
    expect(missingText({ ...workload(["QuotaReserved", 1]), deleted: parentDeleted(9) })).toBeUndefined();
    expect(missingText(workload(["QuotaReserved", 1], ["Admitted", 1], ["PodsReady", 2]))).toBeUndefined();
    expect(missingText(undefined)).toBeUndefined();
  });
});

describe("the sentences about a queue", () => {
  it("say how long it waited, for what, and who preempted it", () => {
    const by = { kind: "Workload", uid: "u-1" };
    const waits = [{ from: AT, to: LATER, reason: "Pending", message: "not enough cpu is free" }];
    const said = queue({ clusterQueue: "cq", waits, evictions: [preempted(by)], admittedAt: [AT, LATER] });
    expect(queueSentences(said, Date.parse(LATER))).toEqual([
      `it waited in queue main (ClusterQueue cq) for 14 s from ${AT} (Pending: not enough cpu is free)`,
      `it was preempted at ${AT} by Workload with uid u-1`,
      `it was admitted 2 times: ${AT} and ${LATER}`,
    ]);
  });

  it("say since when it waits", () => {
    expect(queueSentences(queue({ waits: [{ from: AT, reason: "Inadmissible" }] }), Date.parse(LATER))).toEqual([
      `it has waited in queue main for 14 s, since ${AT} (Inadmissible)`,
    ]);
  });
});
