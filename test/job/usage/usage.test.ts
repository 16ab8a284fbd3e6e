import { describe, expect, it } from "vitest";
import { addToSums, byUsageClass, sumOfUsage } from "../../../src/job/usage/usage.ts";
import { usageOf } from "../../support/facts/usage-of.ts";

describe("the sum of what Jobs reserved", () => {
  it("adds all parts, and is `at most` if one of them is", () => {
    const first = usageOf(1, { kept: 5 });
    const second = { ...usageOf(2, { kept: 1, idle: 2 }), isAtMost: true };
    expect(sumOfUsage([first, second])).toMatchObject({
      pods: 3,
      isAtMost: true,
      podTime: new Map([
        ["kept", 6_000n],
        ["idle", 2_000n],
      ]),
    });
    expect(sumOfUsage([first]).isAtMost).toBe(false);
  });

  it("has no class without time", () => {
    const sums = new Map();
    addToSums(sums, "kept", 0n);
    expect(sums.size).toBe(0);
  });

  it("adds the failed time of every responsible party to class `failed`", () => {
    const { podTime } = usageOf(1, { failed: 1, failedByLimit: 2, failedByConfiguration: 4, kept: 8 });
    expect(byUsageClass(podTime)).toEqual(
      new Map([
        ["failed", 7_000n],
        ["kept", 8_000n],
      ]),
    );
  });
});
