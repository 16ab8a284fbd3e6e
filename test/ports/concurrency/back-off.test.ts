import { describe, expect, it } from "vitest";
import { type BackOffBounds, exponentialBackOff } from "../../../src/ports/concurrency/back-off.ts";

const RETRIES = [1, 2, 3, 4, 5, 6, 7];

function waits(jitter: BackOffBounds["jitter"], random: number): readonly number[] {
  return RETRIES.map(exponentialBackOff({ firstMillis: 500, maxMillis: 10_000, jitter }, () => random));
}

describe("an exponential back-off", () => {
  it.each(["full", "half"] as const)("doubles up to its maximum with %s jitter", (jitter) => {
    expect(waits(jitter, 0)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it("waits any part of the bound with full jitter", () => {
    expect(waits("full", 0.5)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(waits("full", 0.9999)).toEqual([0, 0, 0, 0, 1, 1, 1]);
  });

  it("waits at least half of the bound with half jitter", () => {
    expect(waits("half", 0.5)).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500]);
    expect(waits("half", 0.9999).slice(0, 3)).toEqual([250, 500, 1000]);
  });

  it("stays at its maximum after any number of retries", () => {
    const backOff = exponentialBackOff({ firstMillis: 500, maxMillis: 10_000, jitter: "half" }, () => 0);
    expect(backOff(5_000)).toBe(10_000);
  });

  it("draws a new random part for each wait", () => {
    const drawn = [0, 0.5];
    const backOff = exponentialBackOff({ firstMillis: 100, maxMillis: 100, jitter: "full" }, () => drawn.shift() ?? 1);
    expect([backOff(1), backOff(1)]).toEqual([100, 50]);
  });
});
