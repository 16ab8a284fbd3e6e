import type { Instant } from "../../src/job/model/instant.ts";

/** The Job controller's own limits; only flags of old releases changed them. */
const BACK_OFF = { firstMs: 10_000, mostMs: 600_000 } as const;

/** What the Job controller keeps in its memory between two failures; a restart of it forgets. */
export interface BackOffRecord {
  readonly failuresAfterLastSuccess: number;
  readonly lastFailureAt?: Instant;
}

/**
 * The record after new ends were seen: failures since the last success, a success at the same instant included in what
 * it resets (job-semantics 5).
 */
export function recordBackOff(
  known: BackOffRecord,
  ends: { readonly succeededAt: readonly Instant[]; readonly failedAt: readonly Instant[] },
): BackOffRecord {
  const lastSuccess = ends.succeededAt.length === 0 ? undefined : Math.max(...ends.succeededAt);
  const since = lastSuccess === undefined ? ends.failedAt : ends.failedAt.filter((at) => at > lastSuccess);
  const before = lastSuccess === undefined ? known : { failuresAfterLastSuccess: 0 };
  if (since.length === 0) return before;
  return {
    failuresAfterLastSuccess: before.failuresAfterLastSuccess + since.length,
    lastFailureAt: Math.max(...since, before.lastFailureAt ?? -Infinity),
  };
}

/**
 * How long after the last of `failures` consecutive ones no replacement is made, in milliseconds: doubled with each, up
 * to a limit.
 */
function backOffDelayMs(
  failures: number,
  limits: { readonly firstMs: number; readonly mostMs: number } = BACK_OFF,
): number {
  return failures <= 0 ? 0 : Math.min(limits.mostMs, limits.firstMs * 2 ** (failures - 1));
}

/** What is left of the delay at `now`, in milliseconds. */
export function remainingBackOffMs(
  { failuresAfterLastSuccess, lastFailureAt }: BackOffRecord,
  now: Instant,
  limits: { readonly firstMs: number; readonly mostMs: number } = BACK_OFF,
): number {
  if (lastFailureAt === undefined) return 0;
  return Math.max(0, lastFailureAt + backOffDelayMs(failuresAfterLastSuccess, limits) - now);
}
