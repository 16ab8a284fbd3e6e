import { describe, expect, it } from "vitest";
import { deliveryResult } from "../../src/notify/delivery-result.ts";

const DAY = 86_400_000;
const DOWN = { outcome: "unreachable", problem: "down" } as const;
const tried = { attempts: 1, firstTriedAt: 0, now: 1_000, backOff: (retry: number) => retry * 10 };

describe("a delivery", () => {
  it("that was accepted is delivered", () => {
    expect(deliveryResult({ outcome: "accepted", status: 204 }, tried)).toEqual({ outcome: "delivered" });
  });

  it.each([400, 413, 422])("that was refused with %d is dead at once", (status) => {
    const refused = { outcome: "rejected", status, problem: "no" } as const;
    expect(deliveryResult(refused, tried)).toEqual({ outcome: "dead", problem: "no" });
  });

  it("that can never be accepted is dead at once", () => {
    expect(deliveryResult({ outcome: "refused", problem: "no" }, tried)).toEqual({ outcome: "dead", problem: "no" });
  });

  it("that failed waits for its back-off, or for as long as the receiver asks", () => {
    expect(deliveryResult(DOWN, tried)).toEqual({ outcome: "failed", problem: "down", nextAt: 1_010 });
    const busy = { outcome: "rejected", status: 503, problem: "busy", retryAfterMillis: 60_000 } as const;
    expect(deliveryResult(busy, tried)).toMatchObject({ nextAt: 61_000 });
  });

  it("is dead after a day of at least thirty attempts", () => {
    expect(deliveryResult(DOWN, { ...tried, attempts: 30, now: DAY })).toMatchObject({ outcome: "dead" });
    expect(deliveryResult(DOWN, { ...tried, attempts: 29, now: DAY })).toMatchObject({ outcome: "failed" });
    expect(deliveryResult(DOWN, { ...tried, attempts: 99, now: DAY - 1 })).toMatchObject({ outcome: "failed" });
  });
});
