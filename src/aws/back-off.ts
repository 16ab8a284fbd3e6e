import { setTimeout as wait } from "node:timers/promises";

/** How often the rest of a half-done request is sent again. */
export interface BackOff {
  /** How often in all. */
  readonly attempts: number;
  /** Waits before attempt `attempt`; the second is 2. */
  readonly pause: (attempt: number) => Promise<void>;
}

/**
 * Full jitter: any time between none and a bound that doubles with each attempt, so that callers who were throttled together do not come back together.
 * With its defaults, six attempts within 1.6 s at most: what AWS leaves undone of a batch was throttled for a moment, and a Lambda has more to do than wait.
 */
export function fullJitter({ attempts = 6, baseMillis = 50, capMillis = 2_000 } = {}): BackOff {
  return {
    attempts,
    pause: (attempt) => wait(Math.random() * Math.min(capMillis, baseMillis * 2 ** (attempt - 2))),
  };
}
