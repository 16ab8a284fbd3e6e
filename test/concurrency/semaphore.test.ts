import { describe, expect, it } from "vitest";
import { Semaphore } from "../../src/concurrency/semaphore.ts";

describe("turns", () => {
  it("let no more work at a time than there may, in the order they came", async () => {
    const turns = new Semaphore(2);
    const begun: number[] = [];
    let working = 0;
    let most = 0;
    const work = async (number: number): Promise<number> => {
      begun.push(number);
      working += 1;
      most = Math.max(most, working);
      await Promise.resolve();
      working -= 1;
      return number;
    };
    const all = [1, 2, 3, 4, 5];
    expect(await Promise.all(all.map((number) => turns.take(() => work(number))))).toEqual(all);
    expect(begun).toEqual(all);
    expect(most).toBeLessThanOrEqual(2);
  });

  it("go on after work that failed", async () => {
    const turns = new Semaphore(1);
    const failed = turns.take(() => Promise.reject(new Error("broken")));
    const next = turns.take(async () => "done");
    await expect(failed).rejects.toThrow("broken");
    expect(await next).toBe("done");
  });

  it("let in whatever else waits before the next begins", async () => {
    const turns = new Semaphore(1);
    const order: string[] = [];
    const first = turns.take(async () => order.push("first"));
    const second = turns.take(async () => order.push("second"));
    setImmediate(() => order.push("a question"));
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "a question", "second"]);
  });
});
