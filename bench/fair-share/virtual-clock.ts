import { setImmediate } from "node:timers/promises";

/** Advances to the next instant that something waits for when nothing else can run. */
export class VirtualClock {
  now = 0;
  readonly #waiting = new Map<number, (() => void)[]>();

  until(at: number): Promise<void> {
    return new Promise((resolve) => {
      const instant = Math.max(at, this.now);
      this.#waiting.set(instant, [...(this.#waiting.get(instant) ?? []), resolve]);
    });
  }

  /** Runs until all of these have ended. */
  async run(all: readonly Promise<unknown>[]): Promise<void> {
    const state = { hasEnded: false };
    void Promise.all(all).then(() => (state.hasEnded = true));
    for (;;) {
      await setImmediate();
      if (state.hasEnded) return;
      this.now = Math.min(...this.#waiting.keys());
      const woken = this.#waiting.get(this.now) ?? [];
      this.#waiting.delete(this.now);
      for (const wake of woken) wake();
    }
  }
}
