import type { ClusterName, JobUid } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { State } from "../job/model/states.ts";

/**
 * One projection of Jobs: for each Job its state, written under an optimistic version, and the pages a large Job's state refers to.
 * Every operation but a list is one request to DynamoDB (GetItem, conditional PutItem); a list asks the partitions of its index, then for the rows.
 */
export interface JobStore {
  read(key: JobKey): Promise<StoredJob | undefined>;
  /** Writes `state` if the stored version is `expected` (0: there is none). The new version is `expected + 1`. */
  write(key: JobKey, state: EncodedJobState, expected: number): Promise<WriteOutcome>;
  /** One page of one partition of the list index. */
  list(partition: ListPartition, options: ListOptions): Promise<JobPage>;
  /** The incarnations of a name. */
  listByName(
    name: { readonly cluster: ClusterName; readonly namespace: string; readonly name: string },
    options: ListOptions,
  ): Promise<JobPage>;
  /** Jobs that need a person (`row.attention`). */
  listAttention(partition: { readonly cluster: ClusterName }, options: ListOptions): Promise<JobPage>;
  /**
   * Counts Jobs of a namespace without reading them. Only a store that keeps `row.measures` in an index can; `undefined` where some row of it was written
   * without them: then whoever asks reads the rows.
   */
  count?(query: CountQuery): Promise<readonly CountedJobs[] | undefined>;
  /** Pages are immutable and named by their content (SHA-256, lower-case hex): writing one twice changes nothing. Durable when the promise resolves. */
  writePage(key: JobKey, hash: string, bytes: Uint8Array): Promise<void>;
  readPage(key: JobKey, hash: string): Promise<Uint8Array | undefined>;
}

export interface JobKey {
  readonly cluster: ClusterName;
  readonly jobUid: JobUid;
}

export interface EncodedJobState {
  /** The encoded record, or the root of a large Job (src/projection). At most 300 KB: a DynamoDB item holds 400 KB. */
  readonly bytes: Uint8Array;
  /** What the indexes are made of; absent while nobody knows what the Job is called (its object was never seen, and no Pod tells), and then it is in no list. */
  readonly row?: JobRow;
}

/** What a list knows of a Job without reading its state. */
export interface JobRow {
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: Instant;
  /** "A": it may still change; "F": finished or gone. The two halves are partitions of their own, so that live Jobs are found among millions of ended ones. */
  readonly phase: "A" | "F";
  readonly attention: boolean;
  /** When a Job of phase F finished or was deleted; where neither was seen, when it was last heard of. Retention counts from here. */
  readonly endedAt?: Instant;
  /** The answer without attempts and evidence, packed (src/projection/job-state/summary-bytes.ts): what a list shows. Some hundred bytes. */
  readonly summary: Uint8Array;
  /** What is counted of it. Written, never read back. */
  readonly measures?: JobMeasures;
}

/** What is counted of a Job. Follows from its state; a store need not give it back, nor keep it at all. */
export interface JobMeasures {
  readonly state: State;
  /** `Kind/name`; empty without one. */
  readonly owner: string;
  /** From start to finish, as {@link file://../job/duration-bucket.ts} has it; absent where it has not both. */
  readonly durationBucket?: number;
  /** Kinds of its findings, each once, in order, joined by commas. */
  readonly findings: string;
  readonly podsSeen: number;
  readonly podsSucceeded: number;
  readonly podsFailed: number;
  /** Pods that succeeded beyond what was asked for, and how long they ran in all. */
  readonly needlessRuns: number;
  readonly needlessMillis: number;
}

export interface CountQuery {
  readonly cluster: ClusterName;
  readonly namespace: string;
  /** Later than, and not at. */
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
  /** `hour`: of creation, in UTC. */
  readonly by: "all" | "owner" | "hour";
}

/** Jobs that are the same in what is counted one by one, and the sums of the rest. */
export interface CountedJobs extends Omit<JobMeasures, "owner" | "durationBucket"> {
  /** How many of the Jobs are in each bucket; those without a duration are in none. */
  readonly durations: ReadonlyMap<number, number>;
  /** The owner, or when the hour began in milliseconds; empty by `all`. */
  readonly group: string;
  readonly jobs: number;
  readonly attention: number;
  /** Jobs with needless runs. */
  readonly jobsAgain: number;
}

export interface StoredJob extends EncodedJobState {
  /** Rises by one with each write; 1 for the first. */
  readonly version: number;
}

export type WriteOutcome = { readonly outcome: "written"; readonly version: number } | { readonly outcome: "conflict" };

export interface ListPartition {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly phase: "A" | "F";
}
export interface ListOptions {
  /** Strictly after this position, in the order that is asked for. */
  readonly after?: ListPosition;
  readonly limit: number;
  /** By creation; of the same instant the smaller uid first, and in `oldest` everything the other way round. @default "newest" */
  readonly order?: "newest" | "oldest";
  /**
   * With the stored state of each Job, strongly consistent: for a list of few Jobs whose states are needed anyway.
   * @default false
   */
  readonly withStates?: boolean;
}
/** A position in any list: positions of one list are comparable with those of another. */
export interface ListPosition {
  readonly createdAt: Instant;
  readonly jobUid: JobUid;
}
export interface ListedJob extends JobRow {
  readonly jobUid: JobUid;
  /** Only with {@link ListOptions.withStates}. */
  readonly stored?: Pick<StoredJob, "bytes" | "version">;
}
export interface JobPage {
  readonly rows: readonly ListedJob[];
  readonly next?: ListPosition;
}
