import type { Instant } from "../../job/model/instant.ts";
import type { Clock } from "../../ports/runtime/clock.ts";

/** Smaller differences are ignored: the Date header has whole seconds, and a response takes time to arrive. */
const TOLERANCE_MILLIS = 2_000;

/**
 * The cluster's clock, learned from the Date header of responses (RFC 9110, section 6.6.1; whole seconds).
 * Gaps are compared with instants of the cluster, and the local clock may be an hour off.
 */
export class ServerClock {
  readonly #clock: Clock;
  #ahead = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Instant {
    return Math.round(this.#clock.now() + this.#ahead);
  }

  /** Learns from a response that has just arrived. */
  learn(date: Instant | undefined): void {
    if (date === undefined) return;
    const ahead = date + 500 - this.#clock.now();
    this.#ahead = Math.abs(ahead) <= TOLERANCE_MILLIS ? 0 : ahead;
  }
}
