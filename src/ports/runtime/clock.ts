/** Time and timers. Passed as an argument to everything that waits, so that tests need not wait. */
export interface Clock {
  /** The wall clock: milliseconds since 1970. It may be set back. */
  now(): number;
  /** A monotonic clock: milliseconds since an arbitrary moment, also while the process is suspended. */
  elapsed(): number;
  /** Calls `call` once after this time, at once if it has passed. Returns a function that cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, Math.max(0, milliseconds));
    return () => clearTimeout(timer);
  },
};
