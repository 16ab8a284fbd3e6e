import { exponentialBackOff } from "../ports/concurrency/back-off.ts";

/** The receive count at which a message is set aside if the reason is not an outage. */
export const SUSPECT_RECEIVES = 5;

/**
 * How long a message waits after an outage stopped it. The first waits are short, because most outages are. The longest
 * wait bounds the delay after an outage: five minutes after its end, every message has been tried again.
 */
const BACK_OFF = { firstMillis: 5_000, maxMillis: 300_000, jitter: "half" } as const;

/** Seconds until a message is received again. Its first receive is 1. */
export function retryAfterSeconds(receiveCount: number, random?: () => number): number {
  return Math.ceil(exponentialBackOff(BACK_OFF, random)(Math.max(1, receiveCount)) / 1_000);
}
