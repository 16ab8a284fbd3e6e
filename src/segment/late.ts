import type { Instant } from "../job/model/instant.ts";

/**
 * Readers follow the log in key order, which is the order of sealing. A segment that arrives later than this may lie
 * before a reader's position, so its arrival is recorded for readers to check. Longer than a segment usually takes (1
 * s), and shorter than the part of the log that readers read again.
 */
const LATE_AFTER_MS = 5_000;

/**
 * Readers read this much of the log's end again. It covers {@link LATE_AFTER_MS}, the time of a write, and clock
 * differences.
 */
export const SETTLED_AFTER_MS = 15_000;

export function isLate(sealedAt: Instant, arrivedAt: Instant): boolean {
  return arrivedAt - sealedAt > LATE_AFTER_MS;
}
