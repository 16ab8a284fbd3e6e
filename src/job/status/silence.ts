import type { ClusterObserved } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import type { State } from "../model/states.ts";

/** An exporter sends a heartbeat every minute; five of these do not get lost by chance. */
export const SILENT_AFTER_MILLIS = 5 * 60_000;

/** Whether nothing has come from a cluster for too long, if the last thing came at `heardAt`. */
export function isSilent(heardAt: Instant, now: Instant): boolean {
  return now - heardAt >= SILENT_AFTER_MILLIS;
}

/** Whether a Job may have changed since its cluster was last heard of. A Job that was deleted does not change any more. */
export function isStale(
  { state, final }: { state: State; final: boolean },
  heardAt: Instant,
  queriedAt: Instant,
): boolean {
  return !final && state !== "Deleted" && isSilent(heardAt, queriedAt);
}

/** Whether a recording ended with this instant. An exporter always names the release of its API server. */
export function isEndOfRecording({ kubeSystemUid, serverVersion }: ClusterObserved): boolean {
  return kubeSystemUid === undefined && serverVersion === undefined;
}
