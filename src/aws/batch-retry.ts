import { exponentialBackOff } from "../concurrency/back-off.ts";
import { type Retry, retryWith } from "../concurrency/retry.ts";

/**
 * Retries what AWS left undone of a batch, which was throttled for a moment. With six attempts the waits take 1.6 s at
 * most: a Lambda function has more to do than wait.
 */
export function batchRetry(attempts = 6): Retry {
  return retryWith(attempts, exponentialBackOff({ firstMillis: 50, maxMillis: 2_000, jitter: "full" }));
}
