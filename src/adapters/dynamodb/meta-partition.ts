import type { MetaKind } from "../../ports/meta.ts";

/**
 * Kinds that grow or change with the Jobs of a cluster. Their keys begin with `cluster#`, and each cluster has a
 * partition of its own: `hints#prod-eu`. A partition accepts 1,000 write units per second. All clusters of a fleet
 * together would exceed that: with the runs of CronJobs, and while late segments arrive.
 */
const BY_CLUSTER: ReadonlySet<MetaKind> = new Set<MetaKind>(["hints", "cronjob", "node", "late"]);

/**
 * Kinds whose keys begin with a SHA-256. Each first hex digit has its own partition, so that a flood of invalid
 * messages does not slow down other writes.
 */
const BY_HASH: ReadonlySet<MetaKind> = new Set<MetaKind>(["setAside"]);

/** The first digits of the keys of a kind that is divided by hash, in order; `undefined` for other kinds. */
export function hashDigits(kind: MetaKind): readonly string[] | undefined {
  return BY_HASH.has(kind) ? "0123456789abcdef".split("") : undefined;
}

/**
 * Kinds whose keys begin with a shard, a cluster or a projection, and that have been divided by it since their first
 * release: `changes#0`, `counts#prod-eu`, `countBatch#A`.
 */
const ALWAYS_DIVIDED: ReadonlySet<MetaKind> = new Set<MetaKind>([
  "changes",
  "counts",
  "countBatch",
  "countShard",
  "metrics",
  "cronCounts",
  "notice",
]);

/** Where a record is stored, and where earlier versions of Outlive stored it. */
export interface MetaPartitions {
  readonly current: string;
  /** The partition of records that were last written before partitions were split. It is read, and never written. */
  readonly earlier?: string;
}

/** Whether a list of this kind needs a prefix that begins with a cluster or a shard, and this prefix does not. */
export function lacksPartition(kind: MetaKind, prefix: string): boolean {
  return (BY_CLUSTER.has(kind) || ALWAYS_DIVIDED.has(kind)) && prefix.indexOf("#") <= 0;
}

/** The partitions of a record, or of all records whose keys have a prefix. */
export function metaPartitions(kind: MetaKind, keyOrPrefix: string): MetaPartitions {
  if (BY_HASH.has(kind)) return { current: `${kind}#${keyOrPrefix.slice(0, 1)}`, earlier: kind };
  const end = keyOrPrefix.indexOf("#");
  if (end > 0 && ALWAYS_DIVIDED.has(kind)) return { current: `${kind}#${keyOrPrefix.slice(0, end)}` };
  if (!BY_CLUSTER.has(kind) || end <= 0) return { current: kind };
  return { current: `${kind}#${keyOrPrefix.slice(0, end)}`, earlier: kind };
}
