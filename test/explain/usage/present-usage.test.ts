import { describe, expect, it } from "vitest";
import { presentUsage } from "../../../src/explain/usage/present-usage.ts";

describe("usage in an answer", () => {
  it("has seconds and units, every class, and resources by name", () => {
    const { podSeconds, resources, ...rest } = presentUsage({
      pods: 2,
      isAtMost: true,
      podTime: new Map([
        ["kept", 1_500n],
        ["startUp", 500n],
      ]),
      resources: new Map([
        ["memory", new Map([["kept", 1_500n * 2_000_000_000n]])],
        ["cpu", new Map([["kept", 1_500n * 100_000_000n]])],
      ]),
    });
    expect(rest).toEqual({ pods: 2, bound: "at most" });
    expect(podSeconds).toEqual({
      total: 2,
      startUp: 0.5,
      idle: 0,
      active: 0,
      kept: 1.5,
      duplicate: 0,
      failed: 0,
      interrupted: 0,
      cancelled: 0,
      unknown: 0,
    });
    expect(Object.keys(resources)).toEqual(["cpu", "memory"]);
    expect(resources["cpu"]?.total).toBe(0.15);
    expect(resources["memory"]?.kept).toBe(3);
  });
});
