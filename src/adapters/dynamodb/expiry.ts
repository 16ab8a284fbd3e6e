import type { Instant } from "../../job/model/instant.ts";

const DAY_MILLIS = 86_400_000;

/**
 * The time-to-live of an item that expires `days` after `instant`, in seconds since 1970. DynamoDB deletes it within
 * days, free of charge. It ignores an expiry that is more than five years in the past.
 */
export function expiryOf(instant: Instant, days: number): number {
  return Math.floor((instant + days * DAY_MILLIS) / 1_000);
}
