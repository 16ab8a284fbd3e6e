import type { Context } from "aws-lambda";
import { exponentialBackOff } from "../../src/concurrency/back-off.ts";
import { pause } from "../../src/concurrency/pause.ts";
import type { Retry } from "../../src/concurrency/retry.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";

/**
 * Attempts to write one Job. Up to ten lanes of the stream may write the same Job; one of them succeeds in each round.
 */
const ATTEMPTS = 12;
/** A read and a conditional write take about ten milliseconds. A wait much longer than ten of them gains nothing. */
const BACK_OFF = exponentialBackOff({ firstMillis: 10, maxMillis: 400, jitter: "full" });
/** Enough to finish a read, a join and a write, and to queue the rest for the refold function. */
const RESERVED_MS = 5_000;

/** How a function retries writes: it counts each conflict, and starts no attempt shortly before Lambda's timeout. */
export function retryUntil(context: RemainingTime, count: CountMetric): Retry {
  return {
    attempts: ATTEMPTS,
    pause: async (retry) => {
      count("WriteConflicts", 1);
      await pause(BACK_OFF(retry));
    },
    hasTime: () => context.getRemainingTimeInMillis() > RESERVED_MS,
  };
}

export type RemainingTime = Pick<Context, "getRemainingTimeInMillis">;
