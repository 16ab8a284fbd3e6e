import { describe, expect, it } from "vitest";
import { TokenBuckets } from "../../../src/ports/concurrency/token-buckets.ts";

function bucketsAt(perSecond: number) {
  const clock = { now: 0 };
  const buckets = new TokenBuckets({ perSecond, now: () => clock.now });
  const takeAll = (key: string) => {
    let taken = 0;
    while (buckets.take(key)) taken += 1;
    return taken;
  };
  return { clock, buckets, takeAll };
}

describe("a token bucket", () => {
  it("holds twice the tokens of a second, and regains them with time", () => {
    const { clock, takeAll } = bucketsAt(10);
    expect(takeAll("a")).toBe(20);
    clock.now = 500;
    expect(takeAll("a")).toBe(5);
    clock.now = 60_000;
    expect(takeAll("a")).toBe(20);
  });

  it("is not affected by another key", () => {
    const { buckets, takeAll } = bucketsAt(1);
    takeAll("a");
    expect([buckets.take("a"), buckets.take("b")]).toEqual([false, true]);
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
    for (let n = 0; n < 10_000; n += 1) buckets.take(`other ${n}`);
    expect(buckets.take("a")).toBe(false);
    clock.now = 60_000;
    expect(buckets.take("one more")).toBe(true);
    expect(takeAll("a")).toBe(2);
  });
});
