import { describe, expect, it } from "vitest";
import { HeldFacts } from "../../../src/kubernetes/delivery/held-facts.ts";
import { cronJobScheduledAt as cronJob } from "../../support/facts/cron-job-scheduled-at.ts";
import { parentObserved } from "../../support/facts/parent-facts.ts";
import { numberedFact } from "../../support/stores/sealed-segments.ts";

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

  it("are due at the earliest remaining time after others were released", () => {
    const held = new HeldFacts<number>();
    held.hold("a", [numberedFact(1)], { dueAt: 10, before: 0 });
    held.hold("b", [numberedFact(2)], { dueAt: 20, before: 1 });
    expect(held.nextDueAt).toBe(10);
    held.release("a");
    expect(held.nextDueAt).toBe(20);
    held.hold("c", [numberedFact(3)], { dueAt: 15, before: 2 });
    held.release("unknown");
    expect(held.nextDueAt).toBe(15);
    expect(held.size).toBe(2);
    expect([held.has("a"), held.has("c")]).toEqual([false, true]);
  });

  it("of Jobs and runs are released without those of CronJobs", () => {
    const held = new HeldFacts<number>();
    held.hold("c-1", [cronJob(10)], { dueAt: 99, before: 1 });
    held.hold("a", [numberedFact(1)], { dueAt: 40, before: 2 });
    held.hold("js-1", [parentObserved()], { dueAt: 40, before: 3 });
    expect(held.releaseJobs()).toEqual([numberedFact(1), parentObserved()]);
    expect(held.before).toBe(1);
    expect(held.releaseJobs()).toEqual([]);
  });

  it("keep only the latest observation of a CronJob", () => {
    const held = new HeldFacts<number>();
    for (const at of [10, 20, 30]) held.hold("c-1", [cronJob(at)], { dueAt: 99, before: at });
    expect(held.before).toBe(10);
    expect(held.release("c-1")).toEqual([cronJob(30)]);
  });
});
