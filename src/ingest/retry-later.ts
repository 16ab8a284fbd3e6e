import { exponentialBackOff } from "../concurrency/back-off.ts";

/** A message that is not accepted for another reason than an outage is set aside at this receive. */
export const SUSPECT_RECEIVES = 5;

/**
 * How long a message waits after an outage stopped it. The first waits are short, because most outages are. The longest
 * bounds how late the backlog begins to drain: five minutes after the end of an outage, all messages were tried again.
 */
const BACK_OFF = { firstMillis: 5_000, maxMillis: 300_000, jitter: "half" } as const;

/** Seconds until a message is received again. Its first receive is 1. */
export function retryAfterSeconds(receiveCount: number, random?: () => number): number {
  return Math.ceil(exponentialBackOff(BACK_OFF, random)(Math.max(1, receiveCount)) / 1_000);
}
