/** How long to wait before trying again. */
export interface BackOff {
  /** Milliseconds before attempt `attempt`, counted from 1 for the first that is repeated. */
  pause(attempt: number): number;
}

/** The first wait is at most this long, and each one after it at most twice as long ... */
const BASE_MILLIS = 100;
/** ... up to this: an outage that ends is noticed so soon. */
const MAX_MILLIS = 10_000;

/** "Full jitter": anything from nothing to the bound, so that a hundred exporters do not come back in step. `random` is from 0 to 1. */
export function fullJitter(random: () => number): BackOff {
  return { pause: (attempt) => random() * Math.min(MAX_MILLIS, BASE_MILLIS * 2 ** Math.min(attempt - 1, 30)) };
}
