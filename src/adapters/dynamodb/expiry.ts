import { DAY_MILLIS, type Instant } from "../../job/model/instant.ts";

/**
 * The time-to-live of an item that expires `days` after `instant`, in seconds since 1970. DynamoDB deletes it within
 * days, free of charge. It ignores an expiry that is more than five years in the past.
 */
export function expiryOf(instant: Instant, days: number): number {
  return Math.floor((instant + days * DAY_MILLIS) / 1_000);
}
