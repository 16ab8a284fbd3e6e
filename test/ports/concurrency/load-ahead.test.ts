import { describe, expect, it } from "vitest";
import { loadAhead } from "../../../src/ports/concurrency/load-ahead.ts";
import { collect } from "../../support/running/collect.ts";

async function failingAtTwo(item: number): Promise<number> {
  if (item === 2) throw new Error("The second fails.");
  return item;
}

describe("loading ahead", () => {
  it("yields results in the order of the items, whichever is loaded first", async () => {
    const releases: (() => void)[] = [];
    const load = (item: number): Promise<number> => new Promise((resolve) => releases.push(() => resolve(item * 10)));
    const loaded = collect(loadAhead([1, 2, 3], 3, load));
    await Promise.resolve();
    for (const release of releases.toReversed()) release();
    expect(await loaded).toEqual([10, 20, 30]);
  });

  it("loads no more than the most at once", async () => {
    let open = 0;
    let highest = 0;
    const load = async (item: number): Promise<number> => {
      open += 1;
      highest = Math.max(highest, open);
      await Promise.resolve();
      open -= 1;
      return item;
    };
    expect(await collect(loadAhead([1, 2, 3, 4, 5, 6, 7], 3, load))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(highest).toBeLessThanOrEqual(3);
    expect(highest).toBeGreaterThan(1);
  });

  it("throws a failure when its turn comes", async () => {
    const yielded: number[] = [];
    const all = async (): Promise<void> => {
      for await (const item of loadAhead([1, 2, 3], 3, failingAtTwo)) yielded.push(item);
    };
    await expect(all()).rejects.toThrow("The second fails.");
    expect(yielded).toEqual([1]);
  });

  it("yields nothing without items", async () => {
    expect(await collect(loadAhead([], 3, async (item) => item))).toEqual([]);
  });
});
