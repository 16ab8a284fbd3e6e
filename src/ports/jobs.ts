import type { ClusterName, JobUid } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { EncodedJobState, JobMeasures, ListPosition, ListedJob, StoredJob } from "./job-row.ts";
import type { WideLists } from "./wide-lists.ts";

/**
 * One projection of Jobs: for each Job its state, written with optimistic concurrency, and the pages of a large state.
 * Each operation is one request to DynamoDB (GetItem, conditional PutItem). Lists query the partitions of their index,
 * then read the rows.
 */
export interface JobStore {
  read(key: JobKey): Promise<StoredJob | undefined>;
  /** Writes `state` if the stored version is `expected` (0: there is none). The new version is `expected + 1`. */
  write(key: JobKey, state: EncodedJobState, expected: number): Promise<WriteOutcome>;
  /** One page of the Jobs of a namespace. */
  list(namespace: NamespaceOfJobs, options: ListOptions): Promise<JobPage>;
  /**
   * The Jobs of a namespace in phase `A`. A store with `wide` lists has live Jobs there, and returns only those that an
   * earlier version has written.
   */
  listLive(namespace: NamespaceOfJobs, options: ListOptions): Promise<JobPage>;
  /** The incarnations of a name. */
  listByName(
    name: { readonly cluster: ClusterName; readonly namespace: string; readonly name: string },
    options: ListOptions,
  ): Promise<JobPage>;
  /**
   * The names of some of the newest Jobs of a namespace: up to twice `limit`, in any order, possibly repeated. A store
   * on DynamoDB reads one of several partitions, in three requests.
   */
  sampleNames(namespace: NamespaceOfJobs, limit: number): Promise<readonly string[]>;
  /** The given namespaces that have a Job of the name. Only in stores that find them in one request. */
  namespacesWithName?(query: NameQuery): Promise<readonly string[]>;
  /** Jobs that need a person (`row.attention`). */
  listAttention(partition: { readonly cluster: ClusterName }, options: ListOptions): Promise<JobPage>;
  /** How many Jobs a list may read to sort them in another order than by creation. @default 1,000 */
  readonly mostSorted?: number;
  /** The Jobs of all clusters, in a store that has thousands of namespaces. */
  readonly wide?: WideLists;
  /**
   * Counts Jobs of a namespace without reading them, in a store that indexes `row.measures`. `undefined` if a row was
   * written without measures: the caller must read the rows.
   */
  count?(query: CountQuery): Promise<readonly CountedJobs[] | undefined>;
  /**
   * Pages are immutable and named by their content (SHA-256, lower-case hex): writing one twice changes nothing.
   * Durable when the promise resolves.
   */
  writePage(key: PageOwner, hash: string, bytes: Uint8Array): Promise<void>;
  readPage(key: JobKey, hash: string): Promise<Uint8Array | undefined>;
}

/**
 * One projection of runs. A run has no pages. The summary of its row is its whole record; `bytes` has the record only
 * if it is in no list.
 */
export interface RunStore extends Pick<JobStore, "read" | "write" | "list" | "listByName" | "listAttention" | "wide"> {
  /** The runs of all clusters that another system knows by this key: the newest, up to `limit`. */
  listByExternalId(externalId: string, limit: number): Promise<readonly ExternalRun[]>;
}

export interface ExternalRun extends ListedJob {
  readonly cluster: ClusterName;
}

/** What projecting needs of a projection: states and pages, but no lists. */
export type StateStore = Pick<JobStore, "read" | "write" | "readPage" | "writePage">;

export interface JobKey {
  readonly cluster: ClusterName;
  readonly jobUid: JobUid;
}

/** A Job, with its name if it is known. The name decides when the Job's pages expire. */
export interface PageOwner extends JobKey {
  readonly namespace?: string;
  readonly name?: string;
}

export interface NameQuery {
  readonly cluster: ClusterName;
  readonly name: string;
  readonly namespaces: readonly string[];
}

export interface CountQuery {
  readonly cluster: ClusterName;
  readonly namespace: string;
  /** Exclusive. */
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
  /** `hour`: the UTC hour of creation. */
  readonly by: "all" | "owner" | "hour";
}

/** Jobs with equal state, group and findings, and the sums of their other measures. */
export interface CountedJobs extends Omit<JobMeasures, "owner" | "durationBucket"> {
  /** The number of Jobs per duration bucket. Jobs without a duration are in none. */
  readonly durations: ReadonlyMap<number, number>;
  /** The owner, or the beginning of the hour in milliseconds since 1970; empty for `all`. */
  readonly group: string;
  readonly jobs: number;
  readonly attention: number;
  /** Jobs with needless runs. */
  readonly jobsAgain: number;
}

export type WriteOutcome = { readonly outcome: "written"; readonly version: number } | { readonly outcome: "conflict" };

export interface NamespaceOfJobs {
  readonly cluster: ClusterName;
  readonly namespace: string;
}
export interface ListOptions {
  /** Exclusive, in the given order. */
  readonly after?: ListPosition;
  readonly limit: number;
  /** By creation, then by uid. `oldest` is the exact reverse of `newest`. @default "newest" */
  readonly order?: "newest" | "oldest";
  /**
   * Includes the stored state of each Job, with a strongly consistent read. For lists of few Jobs.
   * @default false
   */
  readonly withStates?: boolean;
}
export interface JobPage {
  readonly rows: readonly ListedJob[];
  readonly next?: ListPosition;
}
