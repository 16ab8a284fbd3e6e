/**
 * Small records beside the Jobs: clusters, namespaces, Nodes, CronJobs, gaps, hints, positions, the live projection.
 * Every operation is one request to DynamoDB (GetItem, conditional PutItem, one page of a Query by `kind`).
 */
export interface MetaStore {
  read(kind: MetaKind, key: string): Promise<MetaRecord | undefined>;
  /** Writes the record if its stored version is the expected one. */
  write(kind: MetaKind, key: string, record: MetaWrite): Promise<MetaWriteOutcome>;
  /**
   * One page of the records whose keys begin with `prefix` and follow `after`, in the order of the keys' UTF-8 bytes.
   * For kinds `hints`, `series`, `cronjob`, `node`, `late`, `counts`, `metrics`, `cronCounts` and `notice`, the prefix
   * begins with a cluster and `#`, for `changes` with a shard and `#`, for `countBatch` and `countShard` with a
   * projection and `#`.
   */
  list(kind: MetaKind, options: MetaRange): Promise<MetaPage>;
}

export interface MetaRange {
  readonly prefix: string;
  readonly after?: string;
  /** Together with `after`: only keys before this one. */
  readonly before?: string;
  readonly limit: number;
  /** Whether a record may be missing that was written less than a second ago. Costs half. @default false */
  readonly isEventual?: boolean;
}

export type MetaKind =
  | "cluster"
  | "namespace"
  | "node"
  | "cronjob"
  /** The labels and annotations of a namespace for Outlive (src/notify/keys-around.ts). */
  | "namespaceMarks"
  | "gap"
  | "hints"
  /** The newest successful runs of a series (src/projection/series). */
  | "series"
  | "position"
  | "live"
  | "setAside"
  /** What was set aside of one sender in one hour (src/log/set-aside-quota.ts). */
  | "setAsideHour"
  | "logDay"
  /** An hour of a shard with packs (src/log/log-hour-registry.ts). */
  | "logHour"
  /** Status changes that were announced together (src/projection/changes/change-feed.ts). */
  | "changes"
  /** The counts of an hour or a day of a cluster (src/count). */
  | "counts"
  /** What some writes of Jobs change in counts and metrics (src/count/count-batch.ts). */
  | "countBatch"
  /** How far a shard of the stream of Jobs is counted (src/count/counted-shard.ts). */
  | "countShard"
  /** What the Jobs of a cluster add to the metrics (src/count/metrics/sums). */
  | "metrics"
  /** What the CronJobs of a cluster add to the metrics (src/count/metrics/schedules). */
  | "cronCounts"
  /** A segment that was appended long after it was sealed (src/segment/late.ts). */
  | "late"
  /** The segments that wait to be applied to a large Job (src/projection/job-state/waiting-segments.ts). */
  | "waiting"
  /** What rules have matched about a subject, with the messages that wait (src/notify/outbox/). */
  | "notice"
  /** The recent messages to a receiver with a rate limit (src/notify/outbox/rate-window.ts). */
  | "receiver"
  /** How long the Jobs of a cluster or namespace are kept (src/upkeep/retention). */
  | "retention"
  /** What retention has deleted (src/upkeep/retention/removed-jobs.ts). */
  | "removed"
  /** A legal hold on a cluster, a namespace or the Jobs of a name (src/upkeep/retention). */
  | "hold"
  /** Who acknowledged an entry of the attention list (src/query/attention). */
  | "acknowledgement"
  /** What was erased, when, by whom and why, without the erased names in clear (src/log/erasure). */
  | "erasure"
  /** Salted hashes of the Jobs and Pods of an erasure (src/log/erasure). */
  | "erased";

export interface MetaWrite {
  /** JSON text; at most 300 KB. */
  readonly value: string;
  /** The version that the writer read; 0 for a new record. */
  readonly expected: number;
  /** The store may delete the record this many days after the write. @default by kind */
  readonly lifetimeDays?: number;
}

export interface MetaRecord {
  readonly key: string;
  /** JSON text; at most 300 KB. */
  readonly value: string;
  readonly version: number;
}
export type MetaWriteOutcome =
  | { readonly outcome: "written"; readonly version: number }
  | { readonly outcome: "conflict" };
export interface MetaPage {
  readonly records: readonly MetaRecord[];
  readonly next?: string;
}
