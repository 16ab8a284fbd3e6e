import { currentSpec } from "./current-spec.ts";
import type { JobObject } from "./job-record.ts";
import type { JobSpec } from "./job-spec.ts";
import type { ReportedStatus } from "./reported-status.ts";

/** What is known of the server's release, as the minor number of 1.x (job-semantics 15). */
export interface ApiVersion {
  /** The release itself, where the server said it. */
  readonly minor?: number;
  /** The earliest release that writes what was seen of the Job. 0: nothing says. */
  readonly atLeast: number;
}

/** Recognises the release from the server's own word and from fields that earlier releases do not write. Nothing is guessed from what is absent. */
export function apiVersionOf(job: JobObject, serverVersion?: string): ApiVersion {
  const minor = minorOf(serverVersion);
  const spec = currentSpec(job);
  const atLeast = Math.max(
    minor ?? 0,
    spec === undefined ? 0 : firstReleaseOfSpec(spec),
    job.reported === undefined ? 0 : firstReleaseOfStatus(job.reported.status),
  );
  return minor === undefined ? { atLeast } : { minor, atLeast };
}

/** Whether interim conditions precede every end and terminal ones wait for terminating Pods: since 1.31. Taken for granted where nothing says otherwise. */
export function hasInterimConditions({ minor }: ApiVersion): boolean {
  return minor === undefined || minor >= 31;
}

/** "v1.24.17", "v1.31.0-eks-1234" -> 24, 31. */
function minorOf(serverVersion: string | undefined): number | undefined {
  const text = /^v?1\.(\d{1,3})(?!\d)/.exec(serverVersion ?? "")?.[1];
  return text === undefined ? undefined : Number(text);
}

function firstReleaseOfSpec(spec: JobSpec): number {
  if (spec.managedBy !== undefined || spec.successPolicy !== undefined) return 30;
  if (spec.podReplacementPolicy !== undefined || spec.backoffLimitPerIndex !== undefined) return 28;
  return spec.podFailurePolicy === undefined ? 0 : 25;
}

function firstReleaseOfStatus(status: ReportedStatus): number {
  const types = new Set(status.conditions.map(({ type }) => type));
  if (types.has("SuccessCriteriaMet")) return 30;
  if (status.terminating !== undefined || status.failedIndexes !== undefined) return 28;
  if (types.has("FailureTarget")) return 25;
  return status.uncounted === undefined ? 0 : 22;
}
