import { describe, expect, it } from "vitest";
import type { UsageByClass } from "../../../src/explain/usage/usage-schema.ts";
import { amountText, usageText } from "../../../src/explain/usage/usage-text.ts";
import { USAGE_CLASSES } from "../../../src/job/usage/usage.ts";

function byClass(some: Partial<UsageByClass>): UsageByClass {
  const zeros = Object.fromEntries(["total", ...USAGE_CLASSES].map((of) => [of, 0]));
  return { ...(zeros as unknown as UsageByClass), ...some };
}

describe("the sentence about usage", () => {
  it("has the time, the resources, and the shares of the classes, the largest first", () => {
    const text = usageText({
      pods: 2,
      bound: "exact",
      podSeconds: byClass({ total: 1_000, kept: 900, startUp: 95, idle: 5 }),
      resources: { cpu: byClass({ total: 4_000 }), memory: byClass({ total: 3_600 * 1_073_741_824 }) },
    });
    expect(text).toBe(
      "2 Pods reserved 16 min 40 s (cpu 1.11 core h, memory 1 GiB h): 90 % kept, 10 % start-up, < 1 % idle.",
    );
  });

  it("says that the release of a Pod is not known exactly", () => {
    const podSeconds = byClass({ total: 60, unknown: 60 });
    expect(usageText({ pods: 1, bound: "at most", podSeconds, resources: {} })).toBe(
      "1 Pod reserved at most 1 min: 100 % unknown.",
    );
  });

  it("is absent if no Pod was bound, and has no shares of no time", () => {
    expect(usageText({ pods: 0, bound: "exact", podSeconds: byClass({}), resources: {} })).toBeUndefined();
    expect(usageText({ pods: 1, bound: "exact", podSeconds: byClass({}), resources: {} })).toBe("1 Pod reserved 0 s.");
  });

  it.each([
    ["nvidia.com/gpu", 7_200, "2 h"],
    ["hugepages-2Mi", 1_800 * 1_073_741_824, "0.5 GiB h"],
    ["cpu", 0, "0 core h"],
  ])("has amounts of %s in hours", (resource, amount, expected) => {
    expect(amountText(resource, amount)).toBe(expected);
  });
});
