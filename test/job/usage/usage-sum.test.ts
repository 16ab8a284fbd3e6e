import { describe, expect, it } from "vitest";
import type { PodReservation } from "../../../src/job/usage/pod-reservation.ts";
import { sumOfUsage } from "../../../src/job/usage/usage.ts";
import { UsageSum } from "../../../src/job/usage/usage-sum.ts";

const totalOf = (sum: UsageSum) => sumOfUsage(sum.hours().values());
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
    expect(totalOf(sum)).toEqual({
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
    expect(totalOf(sum).resources.get("cpu")).toEqual(
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
    expect(totalOf(sum)).toMatchObject({ pods: 2, isAtMost: true });
  });

  it("is divided at the UTC hours of its time, and counts a Pod in the hour in which it was bound", () => {
    const HOUR = 3_600_000;
    const sum = new UsageSum();
    sum.add(
      { ...reservation, boundAt: HOUR - 2_000, beganAt: HOUR, doneAt: 2 * HOUR + 500, endedAt: 2 * HOUR + 900 },
      "kept",
    );
    const parts = [...sum.hours()].map(([hour, { pods, podTime }]) => [hour / HOUR, pods, Object.fromEntries(podTime)]);
    expect(parts).toEqual([
      [0, 1, { startUp: 2_000n }],
      [1, 0, { kept: 3_600_000n }],
      [2, 0, { kept: 500n, idle: 400n }],
    ]);
  });

  it.each([
    { name: "hours", hours: 48, parts: 49 },
    { name: "days", hours: 500, parts: 23 },
    { name: "one part", hours: 100_000, parts: 1 },
  ])("divides a Pod of $hours hours into $name", ({ hours, parts }) => {
    const endedAt = 30_000 * 86_400_000 + hours * 3_600_000;
    const sum = new UsageSum();
    sum.add(
      { ...reservation, boundAt: 30_000 * 86_400_000 - 1, beganAt: 30_000 * 86_400_000 - 1, doneAt: endedAt, endedAt },
      "kept",
    );
    expect(sum.hours().size).toBe(parts);
    expect(totalOf(sum).podTime.get("kept")).toBe(BigInt(hours * 3_600_000 + 1));
  });

  it("divides many Pods into days if they have too many hours", () => {
    const sum = new UsageSum();
    for (let hour = 0; hour < 960; hour += 1) {
      const at = hour * 3_600_000;
      sum.add({ ...reservation, boundAt: at, beganAt: at, doneAt: at + 1_000, endedAt: at + 1_000 }, "kept");
    }
    expect(sum.hours().size).toBe(40);
    expect(totalOf(sum)).toMatchObject({ pods: 960, podTime: new Map([["kept", 960_000n]]) });
  });
});
