/** How long work may occupy the event loop before timers, connections and other requests have their turn. */
const SLICE_MILLIS = 8;

/**
 * Interrupts long work that never waits for anything: data that is already there, and SQLite, which answers
 * synchronously. Call it between two steps of the work. Several pieces of work may share one slice.
 */
export class TimeSlice {
  readonly #clock: () => number;
  #startedAt: number;
  /** After the slice has ended: the promise that all callers await. */
  #others: Promise<void> | undefined;

  /** `clock` returns milliseconds. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#startedAt = clock();
  }

  /** Resolves after the event loop has served the others; `undefined` while the slice lasts. */
  next(): Promise<void> | undefined {
    if (this.#clock() - this.#startedAt < SLICE_MILLIS) return undefined;
    return (this.#others ??= this.#serveOthers());
  }

  async #serveOthers(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#others = undefined;
    this.#startedAt = this.#clock();
  }
}
