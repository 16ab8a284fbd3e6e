import { describe, expect, it } from "vitest";
import { KnownSpecs } from "../../../src/kubernetes/delivery/known-specs.ts";
import { cronJobScheduledAt } from "../../support/facts/cron-job-scheduled-at.ts";

describe("the spec of a CronJob", () => {
  it("is known from its second observation on, whatever the times of its runs", () => {
    const specs = new KnownSpecs();
    expect([10, 10, 20].map((at) => specs.isKnown(cronJobScheduledAt(at)))).toEqual([false, true, true]);
  });

  it("is new after each change", () => {
    const specs = new KnownSpecs();
    const observed = (generation: number) => specs.isKnown({ ...cronJobScheduledAt(10), generation });
    expect([1, 2, 2, 1].map(observed)).toEqual([false, false, true, false]);
  });

  it("is known for each CronJob by itself", () => {
    const specs = new KnownSpecs();
    const observed = (cronJobUid: string) => specs.isKnown({ ...cronJobScheduledAt(10), cronJobUid });
    expect(["a", "b", "a", "b"].map(observed)).toEqual([false, false, true, true]);
  });

  it("is forgotten when there are more CronJobs than it remembers, the oldest first", () => {
    const specs = new KnownSpecs();
    const observed = (number: number) => specs.isKnown({ ...cronJobScheduledAt(10), cronJobUid: `c-${number}` });
    for (let number = 0; number <= 20_000; number += 1) observed(number);
    expect([20_000, 1, 0].map(observed)).toEqual([true, true, false]);
  });
});
