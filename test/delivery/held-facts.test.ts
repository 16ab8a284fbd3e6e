import { describe, expect, it } from "vitest";
import { HeldFacts } from "../../src/delivery/held-facts.ts";
import type { CronJobObserved } from "../../src/job/model/fact.ts";
import { numberedFact } from "../support/stores/sealed-segments.ts";

const cronJob = (lastScheduledAt: number): CronJobObserved => ({
  epoch: 0,
  resourceVersion: numberedFact(lastScheduledAt).resourceVersion,
  at: lastScheduledAt,
  kind: "CronJobObserved",
  namespace: "team",
  name: "report",
  cronJobUid: "c-1",
  createdAt: 0,
  generation: 1,
  schedule: "* * * * *",
  suspend: false,
  concurrencyPolicy: "Allow",
  lastScheduledAt,
});

describe("held facts", () => {
  it("are released in order with the next fact of their object", () => {
    const held = new HeldFacts<number>();
    held.hold("a", [numberedFact(1)], { dueAt: 40, before: 0 });
    held.hold("b", [numberedFact(2)], { dueAt: 41, before: 1 });
    held.hold("a", [numberedFact(3)], { dueAt: 42, before: 2 });
    expect(held.release("a")).toEqual([numberedFact(1), numberedFact(3)]);
    expect(held.release("a")).toEqual([]);
    expect(held.isEmpty).toBe(false);
  });

  it("are due at the earliest of their times", () => {
    const held = new HeldFacts<number>();
    expect(held.nextDueAt).toBe(Infinity);
    held.hold("a", [numberedFact(1)], { dueAt: 40, before: 0 });
    held.hold("a", [numberedFact(2)], { dueAt: 25, before: 1 });
    held.hold("b", [numberedFact(3)], { dueAt: 30, before: 2 });
    expect(held.nextDueAt).toBe(25);
    expect(held.releaseDue(24)).toEqual([]);
    expect(held.releaseDue(25)).toEqual([numberedFact(1), numberedFact(2)]);
    expect(held.nextDueAt).toBe(30);
  });

  it("allow no position after the oldest of them", () => {
    const held = new HeldFacts<number>();
    held.hold("a", [numberedFact(1)], { dueAt: 40, before: 7 });
    held.hold("b", [numberedFact(2)], { dueAt: 20, before: 8 });
    held.hold("a", [numberedFact(3)], { dueAt: 40, before: 9 });
    expect(held.before).toBe(7);
    held.release("a");
    expect(held.before).toBe(8);
    held.release("b");
    expect(held.before).toBeUndefined();
  });

  it("keep only the latest observation of a CronJob", () => {
    const held = new HeldFacts<number>();
    for (const at of [10, 20, 30]) held.hold("c-1", [cronJob(at)], { dueAt: 99, before: at });
    expect(held.before).toBe(10);
    expect(held.release("c-1")).toEqual([cronJob(30)]);
  });
});
