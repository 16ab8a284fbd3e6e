const FIRST_MILLIS = 500;
const MOST_MILLIS = 30_000;

/**
 * How long to wait before the next attempt: 0.5 s, then twice as long after each failure up to 30 s, of which a random half is taken off, so that
 * streams that were cut at once, and the exporters of many clusters behind one proxy, do not come back at once.
 */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The wait after one more failure, in milliseconds. */
  next(): number {
    const most = Math.min(MOST_MILLIS, FIRST_MILLIS * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    return Math.round(most * (1 - this.#random() / 2));
  }

  reset(): void {
    this.#failures = 0;
  }
}
