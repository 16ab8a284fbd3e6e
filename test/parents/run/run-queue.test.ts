import { describe, expect, it } from "vitest";
import { queueOf } from "../../../src/parents/run/run-queue.ts";
import type { ParentCondition } from "../../../src/job/model/fact.ts";
import { isTrue, parentDeleted, parentObserved, parentOf } from "../../support/facts/parent-facts.ts";

const fields = { queueName: "main", clusterQueue: "gpus" };
const workload = (at: number, ...conditions: readonly ParentCondition[]) =>
  parentObserved({ of: "Workload", at, fields, conditions });
const pending = (since: number, resource?: string): ParentCondition => ({
  type: "QuotaReserved",
  status: "False",
  reason: "Pending",
  lastTransitionAt: since,
  ...(resource !== undefined && { details: { resource, flavor: "spot" } }),
});

describe("the queue of a run", () => {
  it("is absent if the Workload names none", () => {
    expect(queueOf([parentOf([parentObserved({ of: "Workload" })])])).toBeUndefined();
  });

  it("has waited from the creation to the admission", () => {
    const seen = [workload(0), workload(3_000, pending(3_000, "cpu")), workload(9_000, isTrue("Admitted", 9_000))];
    expect(queueOf([parentOf(seen)])).toEqual({
      name: "main",
      clusterQueue: "gpus",
      waits: [{ from: 0, to: 9_000, reason: "Pending", details: { resource: "cpu", flavor: "spot" } }],
      admittedAt: [9_000],
      evictions: [],
    });
  });

  it("waits on, without an end", () => {
    expect(queueOf([parentOf([workload(0)])])?.waits).toEqual([{ from: 0, reason: "Pending" }]);
  });

  it("has waited until it was deleted", () => {
    expect(queueOf([parentOf([workload(0), parentDeleted(7_000)])])?.waits).toEqual([
      { from: 0, to: 7_000, reason: "Pending" },
    ]);
  });

  it("waits again after each eviction, and says who preempted it", () => {
    const preempted = isTrue("Preempted", 5_000, {
      reason: "InClusterQueue",
      details: { workloadUid: "w-2", jobUid: "j-2" },
    });
    const seen = [
      workload(1_000, isTrue("Admitted", 1_000)),
      workload(5_000, isTrue("Evicted", 5_000, { reason: "Preempted" }), preempted),
      workload(8_000, isTrue("Admitted", 8_000)),
    ];
    expect(queueOf([parentOf(seen)])).toMatchObject({
      waits: [
        { from: 0, to: 1_000 },
        { from: 5_000, to: 8_000 },
      ],
      admittedAt: [1_000, 8_000],
      evictions: [{ at: 5_000, reason: "Preempted", by: { workloadUid: "w-2", ownerUid: "j-2" } }],
    });
  });

  it("goes on waiting if it is evicted while it waits", () => {
    const evicted = isTrue("Evicted", 5_000, { reason: "PodsReadyTimeout" });
    const again = isTrue("Evicted", 7_000, { reason: "Deactivated" });
    const seen = [workload(1_000, isTrue("Admitted", 1_000)), workload(5_000, evicted), workload(7_000, again)];
    expect(queueOf([parentOf(seen)])?.waits).toMatchObject([{ from: 0, to: 1_000 }, { from: 5_000 }]);
  });

  it("does not wait again if it ends while it is being stopped", () => {
    const seen = [
      workload(1_000, isTrue("Admitted", 1_000)),
      workload(5_000, isTrue("Evicted", 5_000, { reason: "Preempted" })),
      workload(6_000, isTrue("Finished", 6_000)),
    ];
    expect(queueOf([parentOf(seen)])?.waits).toMatchObject([{ from: 0, to: 1_000 }]);
  });

  it("has what each of its Workloads did, of which a later one replaces the earlier", () => {
    const evicted = isTrue("Evicted", 5_000, { reason: "Deactivated" });
    const first = parentOf([workload(1_000, isTrue("Admitted", 1_000)), workload(5_000, evicted)]);
    const second = parentOf([{ ...workload(8_000, isTrue("Admitted", 9_000)), createdAt: 8_000 }]);
    expect(queueOf([first, second])).toMatchObject({
      waits: [
        { from: 0, to: 1_000 },
        { from: 5_000, to: 8_000 },
        { from: 8_000, to: 9_000 },
      ],
      admittedAt: [1_000, 9_000],
      evictions: [{ at: 5_000, reason: "Deactivated" }],
    });
  });

  it("names no preemptor for an eviction of another kind", () => {
    const seen = [workload(5_000, isTrue("Evicted", 5_000, { reason: "PodsReadyTimeout" }))];
    expect(queueOf([parentOf(seen)])?.evictions).toEqual([{ at: 5_000, reason: "PodsReadyTimeout" }]);
  });
});
