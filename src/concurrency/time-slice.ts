/** How long work may occupy the event loop before timers, connections and other requests have their turn. */
const SLICE_MILLIS = 8;

/**
 * Interrupts long work that never waits for anything: data that is already there, and SQLite, which answers
 * synchronously. Call it between two steps of the work.
 */
export class TimeSlice {
  readonly #clock: () => number;
  #startedAt: number;

  /** `clock` returns milliseconds. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#startedAt = clock();
  }

  /** Resolves at once, or after the event loop has served the others if the slice is over. */
  async next(): Promise<void> {
    if (this.#clock() - this.#startedAt < SLICE_MILLIS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#startedAt = this.#clock();
  }
}
