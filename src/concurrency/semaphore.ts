/**
 * Lets a few work at a time, first come first served, and everybody else in between. SQLite answers at once, so work that awaits nothing else keeps the
 * whole process to itself: a thousand streams that each begin with what is past would leave every question unanswered for minutes.
 */
export class Semaphore {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** What `work` came to, once it was its turn. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#busy < this.#most) this.#busy += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await othersFirst();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }
}

/** Whatever came in meanwhile is read before this goes on. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
