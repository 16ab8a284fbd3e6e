import type { Instant } from "../../job/model/instant.ts";
import type { Clock } from "../../runtime/clock.ts";

/** Two clocks that differ by less are taken for one: the Date header is cut to a second and a response takes its time. */
const TOLERANCE_MILLIS = 2_000;

/**
 * What the cluster's clock says. Gaps are compared with instants of the cluster, and the clock here may be an hour off. Learned from the Date
 * header of responses (RFC 9110, 6.6.1; whole seconds).
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

  /** Learns from a response that has just come. */
  learn(date: Instant | undefined): void {
    if (date === undefined) return;
    const ahead = date + 500 - this.#clock.now();
    this.#ahead = Math.abs(ahead) <= TOLERANCE_MILLIS ? 0 : ahead;
  }
}
