import { describe, expect, it } from "vitest";
import { TokenBuckets } from "../../../src/ports/concurrency/token-buckets.ts";

function bucketsAt(perSecond: number, most = 2 * perSecond) {
  const clock = { now: 0 };
  const buckets = new TokenBuckets({ perSecond, most, now: () => clock.now });
  const takeAll = (key: string) => {
    let taken = 0;
    for (; buckets.waitMillis(key) === 0; taken += 1) buckets.take(key, 1);
    return taken;
  };
  return { clock, buckets, takeAll };
}

describe("a token bucket", () => {
  it("holds the most tokens, and regains them with time", () => {
    const { clock, takeAll } = bucketsAt(10, 20);
    expect(takeAll("a")).toBe(20);
    clock.now = 500;
    expect(takeAll("a")).toBe(5);
    clock.now = 60_000;
    expect(takeAll("a")).toBe(20);
  });

  it("is not affected by another key", () => {
    const { buckets, takeAll } = bucketsAt(1);
    takeAll("a");
    expect([buckets.waitMillis("a"), buckets.waitMillis("b")]).toEqual([1_000, 0]);
  });

  it("says how long it has no token after a debt, which is at most as large as a full bucket", () => {
    const { clock, buckets } = bucketsAt(10, 20);
    buckets.take("a", 25);
    expect(buckets.waitMillis("a")).toBe(600);
    clock.now = 600;
    expect(buckets.waitMillis("a")).toBe(0);
    buckets.take("a", 1_000);
    expect(buckets.waitMillis("a")).toBe(2_100);
  });

  it("gains nothing if the clock is set back", () => {
    const { clock, takeAll } = bucketsAt(10);
    clock.now = 10_000;
    takeAll("a");
    clock.now = 0;
    expect(takeAll("a")).toBe(0);
  });

  it("is still empty after more keys than are remembered, unless it is full again", () => {
    const { clock, buckets, takeAll } = bucketsAt(1);
    takeAll("a");
    for (let n = 0; n < 10_000; n += 1) buckets.take(`other ${n}`, 1);
    expect(buckets.waitMillis("a")).toBe(1_000);
    clock.now = 60_000;
    expect(buckets.waitMillis("one more")).toBe(0);
    expect(takeAll("a")).toBe(2);
  });
});
