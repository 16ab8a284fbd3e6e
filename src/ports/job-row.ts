import type { JobUid } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { State } from "../job/model/states.ts";

export interface EncodedJobState {
  /**
   * The encoded record, or the root of a large Job (src/projection). At most 300 KB: a DynamoDB item has at most 400
   * KB.
   */
  readonly bytes: Uint8Array;
  /** The index entries. Absent while the name of the Job is unknown: the Job is in no list until it is observed. */
  readonly row?: JobRow;
  /**
   * As `read` returned it: the wide lists have the Job, created at this instant, in a record of several Jobs. Pass it
   * on to `write`. Without it, a stored Job gets an index entry. Only in a store with wide lists.
   */
  readonly recordedAt?: Instant;
}

/** The fields of a Job that lists return without reading its state. */
export interface JobRow {
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: Instant;
  /**
   * "A": time may still change the Job, or its row. "F": the Job has finished or was deleted, and its row is complete.
   * Stores keep the two apart, so that a sweep finds live Jobs among millions of finished ones.
   */
  readonly phase: "A" | "F";
  readonly attention: boolean;
  /**
   * For phase F: when the Job finished or was deleted, otherwise when its last fact occurred. Retention counts from
   * here.
   */
  readonly endedAt?: Instant;
  /** The compressed summary for lists, some hundred bytes (src/projection/job-state/summary-bytes.ts). */
  readonly summary: Uint8Array;
  /** The key by which another system knows a run, in a store of runs: `dagster/run-id=ID`. Written, never read back. */
  readonly externalId?: string;
  /** The names of the Jobs of a run, for holds. Used when the row is written, and not stored. */
  readonly jobNames?: readonly string[];
  /** Used by the store's `count`. Written, never read back. */
  readonly measures?: JobMeasures;
}

/** The countable fields of a Job, derived from its state. A store may ignore them. */
export interface JobMeasures {
  readonly state: State;
  /** `Kind/name`; empty without one. */
  readonly owner: string;
  /** The bucket of the time from start to finish; absent unless both are known. */
  readonly durationBucket?: number;
  /** Kinds of its findings, each once, in order, joined by commas. */
  readonly findings: string;
  readonly podsSeen: number;
  readonly podsSucceeded: number;
  readonly podsFailed: number;
  /** Pods that succeeded in addition to the required ones. */
  readonly needlessRuns: number;
  /** The total run time of these Pods. */
  readonly needlessMillis: number;
}

export interface StoredJob extends EncodedJobState {
  /** 1 for the first write, and one more for each further write. */
  readonly version: number;
}

/** A position in a list. Positions of different lists are comparable. */
export interface ListPosition {
  readonly createdAt: Instant;
  readonly jobUid: JobUid;
}

export interface ListedJob extends JobRow {
  readonly jobUid: JobUid;
  /** Only with the option `withStates`. */
  readonly stored?: Pick<StoredJob, "bytes" | "version">;
}
