import { describe, expect, it } from "vitest";
import { leastFailureShare } from "../../../src/query/nodes/failure-bound.ts";

/** A reproducible sequence of numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe("the least share of failures of a node", () => {
  it("is near its share for many Pods, and far below it for few", () => {
    expect(leastFailureShare({ failed: 500, pods: 510 }, 100)).toBeGreaterThan(0.93);
    expect(leastFailureShare({ failed: 1, pods: 1 }, 100)).toBeLessThan(0.01);
    expect(leastFailureShare({ failed: 0, pods: 50 }, 100)).toBe(0);
    expect(leastFailureShare({ failed: 0, pods: 0 }, 100)).toBe(0);
  });

  it("is lower among more nodes", () => {
    const node = { failed: 10, pods: 40 };
    expect(leastFailureShare(node, 1_000)).toBeLessThan(leastFailureShare(node, 10));
  });

  it.each([0.01, 0.2, 0.5])("is seldom above the true share %d of any of 100 equal nodes", (share) => {
    const next = numbers(7);
    let wrong = 0;
    const trials = 200;
    for (let trial = 0; trial < trials; trial += 1) {
      const isWrong = Array.from({ length: 100 }, () => {
        const failed = Array.from({ length: 60 }, () => (next() < share ? 1 : 0)).reduce((a: number, b) => a + b, 0);
        return leastFailureShare({ failed, pods: 60 }, 100) > share;
      }).includes(true);
      if (isWrong) wrong += 1;
    }
    expect(wrong / trials).toBeLessThanOrEqual(0.05);
  });
});
