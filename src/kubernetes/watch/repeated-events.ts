import type { Instant } from "../../job/model/instant.ts";

/**
 * The reasons of Events whose repetitions are sent more often: their last time decides whether a refusal or a failed
 * probe is the latest trouble.
 */
const RECENT_MILLIS = 60_000;

/** An Event that was sent: how often it had occurred by then, and when last. */
interface Passed {
  readonly count: number;
  readonly lastAt: Instant;
}

/** The most Events to remember. A forgotten one is sent again with its next repetition. */
const MAX_EVENTS = 10_000;

/**
 * Thins out repetitions of an Event. Its sender counts up the same object, up to once per second for a Pod that cannot
 * be scheduled. An answer needs the first, the order of magnitude of the count, and roughly the last time. So an Event
 * passes again when its count has doubled, or a minute after it last passed.
 */
export class RepeatedEvents {
  readonly #passed = new Map<string, Passed>();
  readonly #most: number;

  constructor(most = MAX_EVENTS) {
    this.#most = most;
  }

  /** Whether the Event with this uid is sent. */
  passes(uid: string, { count, lastAt }: Passed): boolean {
    const known = this.#passed.get(uid);
    if (known !== undefined && count < 2 * known.count && lastAt - known.lastAt < RECENT_MILLIS) return false;
    this.#passed.delete(uid);
    this.#passed.set(uid, { count, lastAt });
    if (this.#passed.size > this.#most) this.#forgetOldest();
    return true;
  }

  /** The Event was not sent after all: its next repetition passes. */
  forget(uid: string): void {
    this.#passed.delete(uid);
  }

  #forgetOldest(): void {
    for (const oldest of this.#passed.keys()) {
      this.#passed.delete(oldest);
      return;
    }
  }
}
