import type { Context } from "aws-lambda";
import { exponentialBackOff } from "../../src/ports/concurrency/back-off.ts";
import { type Retry, retryWith } from "../../src/ports/concurrency/retry.ts";
import type { CountMetric } from "../../src/ports/deployment/metrics.ts";

/** Attempts to write one Job. Up to ten concurrent batches of a shard may write it, and each round one succeeds. */
const ATTEMPTS = 12;
/** A read and a conditional write take about ten milliseconds, so longer waits gain nothing. */
const BACK_OFF = exponentialBackOff({ firstMillis: 10, maxMillis: 400, jitter: "full" });
/** Enough to finish a read, a join and a write, and to queue the rest for the refold function. */
const RESERVED_MS = 5_000;

/** How a function retries writes: it counts each conflict, and starts no attempt shortly before Lambda's timeout. */
export function retryUntil(context: RemainingTime, count: CountMetric): Retry {
  const retry = retryWith(ATTEMPTS, BACK_OFF);
  return {
    attempts: retry.attempts,
    pause: (number) => {
      count("WriteConflicts", 1);
      return retry.pause(number);
    },
    hasTime: () => context.getRemainingTimeInMillis() > RESERVED_MS,
  };
}

export type RemainingTime = Pick<Context, "getRemainingTimeInMillis">;
