import { setImmediate } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";

/**
 * Runs at most `permits` tasks at a time, in the order of the calls, and lets the event loop run before each task.
 * SQLite answers without waiting, so tasks that await nothing else would block the process until the last one ends.
 */
export class Semaphore {
  readonly #limit: LimitFunction;

  constructor(permits: number) {
    this.#limit = pLimit(permits);
  }

  /** The result of `task`, which starts when a permit is free. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#limit(async () => {
      await setImmediate();
      return task();
    });
  }
}
