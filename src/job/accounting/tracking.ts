import { apiVersionOf } from "../model/api-version.ts";
import type { JobObject } from "../model/job-record.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * How the Job's Pods are counted: by finalizer (`tracked`), by the Pods that exist (`untracked`, 1.20 to 1.25 without
 * the feature), or unknown. The absence of the finalizer on a Pod is no evidence, because it may have been removed.
 */
export type Tracking = "tracked" | "untracked" | "unknown";

/** Evidence in addition to the Job's own facts. */
export interface TrackingEvidence {
  /** A Pod of the Job was observed with the tracking finalizer. */
  readonly podTracked: boolean;
  readonly serverVersion?: string | undefined;
}

/** From this release on, every Job is tracked. */
const ALWAYS_TRACKED = 26;
/** Before this release, no Job is tracked. */
const NEVER_TRACKED_BEFORE = 22;

/**
 * Decides by the strongest evidence, in this order: the Job's own facts, a Pod's finalizer, fields that only later
 * servers write, a started status without the lists, the server's release.
 */
export function trackingOf(job: JobObject, { podTracked, serverVersion }: TrackingEvidence): Tracking {
  if (job.tracked !== undefined || podTracked) return "tracked";
  const { minor, atLeast } = apiVersionOf(job, serverVersion);
  if (atLeast >= ALWAYS_TRACKED) return "tracked";
  if (job.untracked !== undefined) return "untracked";
  return minor !== undefined && minor < NEVER_TRACKED_BEFORE ? "untracked" : "unknown";
}

/** Whether the Pod was observed with the tracking finalizer at any time. */
export function wasTracked(pod: PodRecord): boolean {
  return (
    pod.tracked !== undefined ||
    pod.succeeded?.tracked === true ||
    pod.failed?.tracked === true ||
    pod.deletionRequested?.tracked === true ||
    pod.deleted?.tracked === true
  );
}
