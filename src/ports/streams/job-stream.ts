import type { Instant } from "../../job/model/instant.ts";
import type { EncodedJobState } from "../job-row.ts";
import type { JobKey } from "../jobs.ts";

/**
 * Every write and deletion of the Jobs of one projection, as the store itself recorded it: each once, those of one Job
 * in order. DynamoDB keeps them for 24 hours.
 */
export interface JobStream {
  shards(): Promise<readonly StreamShard[]>;
  /**
   * The writes of a shard after a position, or all that are kept. Ends where the shard has no more yet, or is closed.
   * Throws {@link StreamTrimmedError} where writes after the position are no longer kept.
   */
  read(shard: StreamShard, after: string | undefined): AsyncGenerator<StreamPage, void>;
}

export interface StreamShard {
  readonly id: string;
  /** The shard that it continues. Its writes come first. */
  readonly parent?: string;
  /** Nothing will be added. */
  readonly isClosed: boolean;
}

export interface StreamPage {
  /** In order. Each ends at a position of its own. */
  readonly writes: readonly StreamedWrite[];
  /** The position after the page; absent where it has nothing. */
  readonly position?: string;
  /** Nothing will follow. */
  readonly isClosed: boolean;
}

export interface StreamedWrite {
  readonly key: JobKey;
  readonly position: string;
  /** When the store accepted it, to the second. */
  readonly at: Instant;
  /** Absent for a new Job. */
  readonly before?: EncodedJobState;
  /** Absent where the Job was deleted or has expired. */
  readonly after?: EncodedJobState;
}

/** Whether a position of a shard follows another one of it: positions are numbers of many digits. */
export function isAfter(position: string, other: string): boolean {
  return position.length === other.length ? position > other : position.length > other.length;
}

/** Writes were lost for a reader that was away for too long. */
export class StreamTrimmedError extends Error {
  override readonly name = "StreamTrimmedError";

  constructor(shard: string, options?: ErrorOptions) {
    super(
      `The stream no longer has the writes after the position in shard ${shard}: it keeps them for 24 hours.`,
      options,
    );
  }
}
