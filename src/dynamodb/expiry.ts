import type { Instant } from "../job/model/instant.ts";

const DAY_MILLIS = 86_400_000;

/**
 * What the attribute of an item says that may be deleted `days` after `instant`: seconds since 1970. DynamoDB deletes within some days after it, at no
 * cost; of an item whose expiry is more than five years ago it thinks that it is a mistake, and keeps it.
 */
export function expiryOf(instant: Instant, days: number): number {
  return Math.floor((instant + days * DAY_MILLIS) / 1_000);
}
