import type { Instant } from "../job/model/instant.ts";

/**
 * Whoever follows the log reads it in the order of its keys, which is when segments were sealed. One that comes later than this after it was sealed may
 * come behind a reader's back: so its arrival is written down, for readers to look there too. Longer than a segment usually takes (a second), shorter than
 * what readers go back over.
 */
const LATE_AFTER_MS = 5_000;

/** How long the end of the log is looked at again: {@link LATE_AFTER_MS}, the time a write takes, and clocks that differ a little. */
export const SETTLED_AFTER_MS = 15_000;

export function isLate(sealedAt: Instant, arrivedAt: Instant): boolean {
  return arrivedAt - sealedAt > LATE_AFTER_MS;
}
