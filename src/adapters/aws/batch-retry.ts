import { exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import { type Retry, retryWith } from "../../ports/concurrency/retry.ts";

/**
 * Retries the items of a batch that AWS did not process because of throttling. With six attempts, the waits take at
 * most 1.6 s, which a Lambda function can afford.
 */
export function batchRetry(attempts = 6): Retry {
  return retryWith(attempts, exponentialBackOff({ firstMillis: 50, maxMillis: 2_000, jitter: "full" }));
}
