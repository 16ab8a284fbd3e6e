import type { ClusterObserved } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";

/**
 * How long a cluster must be quiet to count as silent. An exporter sends a heartbeat every minute, and losing five in a
 * row is no coincidence.
 */
export const SILENT_AFTER_MILLIS = 5 * 60_000;

/** Whether a cluster is silent at `now`, if its latest data arrived at `heardAt`. */
export function isSilent(heardAt: Instant, now: Instant): boolean {
  return now - heardAt >= SILENT_AFTER_MILLIS;
}

/** Whether a Job may have changed since the latest data of its silent cluster. A deleted Job cannot change. */
export function isStale(
  { state, final }: { state: string; final: boolean },
  heardAt: Instant,
  queriedAt: Instant,
): boolean {
  return !final && state !== "Deleted" && isSilent(heardAt, queriedAt);
}

type ClusterIdentity = Partial<ClusterObserved>;

/** Whether the observation marks the end of a recording. An exporter always sends the release of its API server. */
export function isEndOfRecording({ kubeSystemUid, serverVersion }: ClusterIdentity): boolean {
  return kubeSystemUid === undefined && serverVersion === undefined;
}
