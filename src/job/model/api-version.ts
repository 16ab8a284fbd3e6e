import { currentSpec } from "./current-spec.ts";
import type { JobObject } from "./job-record.ts";
import type { JobSpec } from "./job-spec.ts";
import type { ReportedStatus } from "./reported-status.ts";

/** The release of the API server, as the minor number of 1.x, as far as it is known (job-semantics 15). */
export interface ApiVersion {
  /** The release itself, if the server reported it. */
  readonly minor?: number;
  /** The earliest release that writes the observed fields of the Job. 0: unknown. */
  readonly atLeast: number;
}

/**
 * Derives the release from the reported version and from fields that earlier releases do not write. An absent field
 * proves nothing.
 */
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

/**
 * Whether the server writes interim conditions and delays terminal ones until no Pod is terminating: since 1.31. An
 * unknown release is assumed to do so.
 */
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
