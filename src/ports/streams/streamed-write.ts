import type { Instant } from "../../job/model/instant.ts";
import type { EncodedJobState } from "../job-row.ts";
import type { JobKey } from "../jobs.ts";

/** A write or deletion of a Job or a run, as the store itself recorded it. */
export interface StreamedWrite {
  /** That of a run has its uid. */
  readonly key: JobKey;
  readonly isRun?: true | undefined;
  /** The position of the write in its shard: a number with many digits, which increases with each write. */
  readonly position: string;
  /** When the store accepted it, to the second. */
  readonly at: Instant;
  /** Absent for a new Job. */
  readonly before?: EncodedJobState;
  /** Absent where the Job was deleted or has expired. */
  readonly after?: EncodedJobState;
}

/** Whether a position of a shard follows another one of it. */
export function isAfter(position: string, other: string): boolean {
  return position.length === other.length ? position > other : position.length > other.length;
}
