/** The most Events to remember. A forgotten one is sent again with its next repetition. */
const MAX_EVENTS = 10_000;

/**
 * Thins out repetitions of an Event. Its sender counts up the same object, up to once per second for a Pod that cannot
 * be scheduled. An answer needs the first, the order of magnitude of the count, and roughly the last time. So an Event
 * passes again when its count has doubled: ten times for a thousand repetitions.
 */
export class RepeatedEvents {
  readonly #counts = new Map<string, number>();
  readonly #most: number;

  constructor(most = MAX_EVENTS) {
    this.#most = most;
  }

  /** Whether the Event with this uid and count is sent. */
  passes(uid: string, count: number): boolean {
    const known = this.#counts.get(uid);
    if (known !== undefined && count < 2 * known) return false;
    this.#counts.delete(uid);
    this.#counts.set(uid, count);
    if (this.#counts.size > this.#most) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      return;
    }
  }
}
