import { describe, expect, it } from "vitest";
import { Semaphore } from "../../../src/ports/concurrency/semaphore.ts";

describe("a semaphore", () => {
  it("runs no more tasks at a time than it has permits, in the order of the calls", async () => {
    const semaphore = new Semaphore(2);
    const started: number[] = [];
    let running = 0;
    let mostRunning = 0;
    const task = async (number: number): Promise<number> => {
      started.push(number);
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await Promise.resolve();
      running -= 1;
      return number;
    };
    const numbers = [1, 2, 3, 4, 5];
    expect(await Promise.all(numbers.map((number) => semaphore.run(() => task(number))))).toEqual(numbers);
    expect(started).toEqual(numbers);
    expect(mostRunning).toBeLessThanOrEqual(2);
  });

  it("runs the next task after one that failed", async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(new Error("broken")));
    const next = semaphore.run(async () => "done");
    await expect(failed).rejects.toThrow("broken");
    expect(await next).toBe("done");
  });

  it("lets the event loop run before each task", async () => {
    const semaphore = new Semaphore(1);
    const order: string[] = [];
    const first = semaphore.run(async () => order.push("first"));
    const second = semaphore.run(async () => order.push("second"));
    setImmediate(() => order.push("a request"));
    await Promise.all([first, second]);
    expect(order.indexOf("a request")).toBeLessThan(order.indexOf("second"));
  });
});
