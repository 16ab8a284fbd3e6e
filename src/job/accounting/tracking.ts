import { apiVersionOf } from "../model/api-version.ts";
import type { JobObject } from "../model/job-record.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * How the Job's Pods are counted: by finalizer (`tracked`), by those that exist (`untracked`, 1.20 to 1.25 without the
 * feature), or not known. A late object without the finalizer proves nothing, so absence is never evidence.
 */
export type Tracking = "tracked" | "untracked" | "unknown";

/** What may be said beside the Job's own facts. */
export interface TrackingEvidence {
  /** Some Pod of the Job was seen with the tracking finalizer. */
  readonly podTracked: boolean;
  readonly serverVersion?: string;
}

/** Since this release every Job is tracked. */
const ALWAYS_TRACKED = 26;
/** Before this release there is no finalizer. */
const NEVER_TRACKED_BEFORE = 22;

/**
 * By the strongest evidence there is: the Job's own word, a Pod's finalizer, fields only later servers write, a started
 * status without the lists, the server's release.
 */
export function trackingOf(job: JobObject, { podTracked, serverVersion }: TrackingEvidence): Tracking {
  if (job.tracked !== undefined || podTracked) return "tracked";
  const { minor, atLeast } = apiVersionOf(job, serverVersion);
  if (atLeast >= ALWAYS_TRACKED) return "tracked";
  if (job.untracked !== undefined) return "untracked";
  return minor !== undefined && minor < NEVER_TRACKED_BEFORE ? "untracked" : "unknown";
}

/** The Pod was seen with the tracking finalizer on, whatever became of it. */
export function wasTracked(pod: PodRecord): boolean {
  return (
    pod.tracked !== undefined ||
    pod.succeeded?.tracked === true ||
    pod.failed?.tracked === true ||
    pod.deletionRequested?.tracked === true ||
    pod.deleted?.tracked === true
  );
}
