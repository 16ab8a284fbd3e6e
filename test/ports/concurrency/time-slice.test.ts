import { describe, expect, it } from "vitest";
import { TimeSlice } from "../../../src/ports/concurrency/time-slice.ts";

/** Steps of work that take `millis` each, and after which of them the event loop had its turn. */
async function interrupted(steps: number, millis: number): Promise<readonly number[]> {
  let now = 0;
  let step = 0;
  let isOver = false;
  const turns: number[] = [];
  const observe = (): void => {
    turns.push(step);
    if (!isOver) setImmediate(observe);
  };
  const slice = new TimeSlice(() => now);
  setImmediate(observe);
  for (; step < steps; step += 1) {
    now += millis;
    await slice.next();
  }
  isOver = true;
  return turns;
}

describe("work in time slices", () => {
  it("lets the event loop have its turn every 8 ms", async () => {
    expect(await interrupted(9, 3)).toEqual([2, 5, 8]);
  });

  it("lets the event loop have its turn after each long step", async () => {
    expect(await interrupted(3, 100)).toEqual([0, 1, 2]);
  });

  it("shares one slice, however much work there is", async () => {
    let now = 0;
    const slice = new TimeSlice(() => now);
    const turns: number[] = [];
    const observe = (): void => {
      turns.push(now);
      if (now < 160) setImmediate(observe);
    };
    setImmediate(observe);
    const work = async (): Promise<void> => {
      for (let step = 0; step < 10; step += 1) {
        now += 1;
        await slice.next();
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    const lengths = turns.map((at, index) => at - (turns[index - 1] ?? 0));
    // Each work may take one step after the slice is over.
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8 + 16);
    expect(turns.at(-1)).toBe(160);
  });

  it("is not interrupted while it is short", async () => {
    expect(await interrupted(100, 0.05)).toEqual([]);
  });
});
