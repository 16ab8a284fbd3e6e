import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "aws-lambda";
<<<<<<< HEAD
import type { Retry } from "../../src/concurrency/retry.ts";
import type { CountMetric } from "../../src/runtime/metric-names.ts";
=======
import type { Retry } from "../../src/projection/retry.ts";
import type { CountMetric } from "../../src/deployment/metrics.ts";
>>>>>>> f4e545e (Move the deployment contract to src/deployment)

/** Attempts to write one Job. Ten lanes of the stream (ParallelizationFactor 10) may be at one hot Job: each attempt, one of them gets through. */
const ATTEMPTS = 12;
/** A read and a conditional write of DynamoDB take some ten milliseconds together; waiting much longer than the others' turn gains nothing. */
const LONGEST_PAUSE_MS = 400;
/** What is begun is ended in this time: a read, a join, a write, and telling the refold queue what was not begun. */
const RESERVED_MS = 5_000;

/** How a function tries writes again: with full jitter, counting each conflict, and beginning nothing shortly before Lambda ends it. */
export function retryUntil(context: RemainingTime, count: CountMetric): Retry {
  return {
    attempts: ATTEMPTS,
    pause: async (attempt) => {
      count("WriteConflicts", 1);
      await wait(Math.random() * Math.min(LONGEST_PAUSE_MS, 5 * 2 ** attempt));
    },
    hasTime: () => context.getRemainingTimeInMillis() > RESERVED_MS,
  };
}

export type RemainingTime = Pick<Context, "getRemainingTimeInMillis">;
