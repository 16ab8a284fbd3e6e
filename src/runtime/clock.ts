/** Time, and the waiting for it. Handed in wherever something waits, so that tests do not. */
export interface Clock {
  /** What the wall clock says: milliseconds since 1970. It may be set back. */
  now(): number;
  /** Milliseconds since some moment, never set back, and counted on while the process was stopped. */
  elapsed(): number;
  /** Calls once, this many milliseconds from now. The answer takes the call back. */
  after(milliseconds: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
