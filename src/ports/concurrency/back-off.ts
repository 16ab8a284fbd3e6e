/** Milliseconds to wait before a retry. The first retry is 1. */
export type BackOff = (retry: number) => number;

export interface BackOffBounds {
  /** The longest wait before the first retry. It doubles with each further retry. */
  readonly firstMillis: number;
  /** No wait is longer than this. */
  readonly maxMillis: number;
  /** The random part of a wait: `full` waits from 0 to the bound, `half` from half of the bound to the bound. */
  readonly jitter: "full" | "half";
}

/** Keeps the power of two finite. */
const MAX_DOUBLINGS = 30;

/**
 * Exponential back-off with jitter: clients that failed together do not retry together.
 * `random` returns a number from 0 up to, but not including, 1.
 */
export function exponentialBackOff(bounds: BackOffBounds, random: () => number = Math.random): BackOff {
  const { firstMillis, maxMillis, jitter } = bounds;
  const randomPart = jitter === "full" ? 1 : 0.5;
  return (retry) => {
    const longest = Math.min(maxMillis, firstMillis * 2 ** Math.min(retry - 1, MAX_DOUBLINGS));
    return Math.round(longest * (1 - randomPart * random()));
  };
}
