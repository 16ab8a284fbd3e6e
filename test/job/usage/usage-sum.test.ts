import { describe, expect, it } from "vitest";
import type { PodReservation } from "../../../src/job/usage/pod-reservation.ts";
import { UsageSum } from "../../../src/job/usage/usage-sum.ts";

const cpu = (amount: bigint) => new Map([["cpu", amount]]);
const reservation: PodReservation = {
  boundAt: 1_000,
  beganAt: 2_000,
  doneAt: 5_000,
  endedAt: 6_000,
  isOver: true,
  isExact: true,
  steps: [{ from: 1_500, requests: cpu(10n) }],
};

describe("the sum of what Pods reserved", () => {
  it("has each part in its class, the first request from the beginning", () => {
    const sum = new UsageSum();
    sum.add(reservation, "kept");
    expect(sum.sum()).toEqual({
      pods: 1,
      isAtMost: false,
      podTime: new Map([
        ["startUp", 1_000n],
        ["kept", 3_000n],
        ["idle", 1_000n],
      ]),
      resources: new Map([
        [
          "cpu",
          new Map([
            ["startUp", 10_000n],
            ["kept", 30_000n],
            ["idle", 10_000n],
          ]),
        ],
      ]),
    });
  });

  it("has each request for its time only", () => {
    const sum = new UsageSum();
    const steps = [...reservation.steps, { from: 3_000, requests: cpu(20n) }, { from: 9_000, requests: cpu(50n) }];
    sum.add({ ...reservation, steps }, "failed");
    expect(sum.sum().resources.get("cpu")).toEqual(
      new Map([
        ["startUp", 10_000n],
        ["failed", 10_000n + 40_000n],
        ["idle", 20_000n],
      ]),
    );
  });

  it("is at most if one of them is", () => {
    const sum = new UsageSum();
    sum.add(reservation, "kept");
    sum.add({ ...reservation, isExact: false }, "unknown");
    expect(sum.sum()).toMatchObject({ pods: 2, isAtMost: true });
  });
});
