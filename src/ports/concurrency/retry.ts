import type { Clock } from "../runtime/clock.ts";
import type { BackOff } from "./back-off.ts";
import { pause } from "./pause.ts";

/** How often work is attempted, and how long the caller waits in between. */
export interface Retry {
  /** The number of attempts, the first one included. */
  readonly attempts: number;
  /** Waits before a retry. The first retry is 1. */
  readonly pause: (retry: number) => Promise<void>;
  /** Whether another attempt fits into the remaining time of a Lambda function. @default always true */
  readonly hasTime?: () => boolean;
}

export function retryWith(attempts: number, backOff: BackOff, clock?: Clock): Retry {
  return {
    attempts,
    pause: async (retry) => {
      await pause(backOff(retry), undefined, clock);
    },
  };
}

/**
 * Yields the number of each attempt, from 1, and waits before each retry.
 * The caller leaves the loop after an attempt that succeeded; the loop ends by itself when all attempts are used up.
 */
export async function* attemptsOf({ attempts, pause: wait }: Retry): AsyncGenerator<number, void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1) await wait(attempt - 1);
    yield attempt;
  }
}
