import { describe, expect, it } from "vitest";
import { BackOff } from "../../../src/kubernetes/watch/back-off.ts";

function waits(random: number, count: number): readonly number[] {
  const backOff = new BackOff(() => random);
  return Array.from({ length: count }, () => backOff.next());
}

describe("the wait before a request is made again", () => {
  it("doubles up to 30 s", () => {
    expect(waits(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it("is shorter by a random part of up to a half", () => {
    expect(waits(0.5, 3)).toEqual([375, 750, 1500]);
    expect(waits(0.9999, 1)).toEqual([250]);
  });

  it("begins anew after a success", () => {
    const backOff = new BackOff(() => 0);
    backOff.next();
    backOff.next();
    backOff.reset();
    expect(backOff.next()).toBe(500);
  });

  it("stays 30 s however often it has failed", () => {
    expect(waits(0, 2000).at(-1)).toBe(30_000);
  });
});
