import type { Instant } from "../model/instant.ts";

/** The deletion of a Pod that had ended. */
export interface EndedPodDeletion {
  readonly at: Instant;
  /** Milliseconds from the Pod's end to its deletion. */
  readonly afterMillis: number;
  /** The grace period of the deletion. Pod GC deletes without one. Unknown if the deletion request was not observed. */
  readonly graceSeconds?: number;
}

/** Pod GC starts a sweep 20 s after it ended the previous one (`gcCheckPeriod`); object times have whole seconds. */
const SWEEP_MS = 19_000;
/** Above its threshold, Pod GC deletes an ended Pod in the next sweep or the one after; a busy controller is slower. */
const SOON_MS = 120_000;
/** Two sweeps may be chance. */
const MIN_SWEEPS = 3;
/** A client that watches for the end of Pods deletes each of them at once. A sweep comes at any time in its period. */
const AT_ONCE_MS = 2_000;

/**
 * Whether ended Pods of one Job were deleted as Pod GC does it: soon after their end but not always at once, without a
 * grace period, in at least three sweeps that are a sweep's period apart. One deletion alone shows no deleter.
 */
export function isSweptByPodGc(deletions: readonly EndedPodDeletion[]): boolean {
  if (deletions.some(({ afterMillis, graceSeconds = 0 }) => afterMillis > SOON_MS || graceSeconds > 0)) return false;
  if (deletions.every(({ afterMillis }) => afterMillis <= AT_ONCE_MS)) return false;
  const sweeps = [...new Set(deletions.map(({ at }) => at))].sort((a, b) => a - b);
  if (sweeps.length < MIN_SWEEPS) return false;
  return sweeps.every((at, index) => at - (sweeps[index - 1] ?? Number.NEGATIVE_INFINITY) >= SWEEP_MS);
}
