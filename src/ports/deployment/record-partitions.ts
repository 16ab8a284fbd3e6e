import type { MetaKind } from "../meta.ts";

/**
 * Kinds that grow or change with the Jobs of a cluster. Their keys begin with `cluster#`, and each cluster has a
 * partition of its own: `hints#prod-eu`. A partition accepts 1,000 write units per second. All clusters of a fleet
 * together would exceed that: with the runs of CronJobs, and while late segments arrive.
 */
export const BY_CLUSTER: ReadonlySet<MetaKind> = new Set<MetaKind>(["hints", "cronjob", "node", "late"]);

/**
 * Kinds whose keys begin with a SHA-256. Each first hex digit has its own partition, so that a flood of invalid
 * messages does not slow down other writes.
 */
export const BY_HASH: ReadonlySet<MetaKind> = new Set<MetaKind>(["setAside"]);

/**
 * Kinds whose keys begin with a shard, a cluster or a projection, and that have been divided by it since their first
 * release: `changes#0`, `counts#prod-eu`, `countBatch#A`.
 */
export const ALWAYS_DIVIDED: ReadonlySet<MetaKind> = new Set<MetaKind>([
  "changes",
  "series",
  "counts",
  "countBatch",
  "countShard",
  "metrics",
  "cronCounts",
  "notice",
]);

/** The partition keys of the records of a kind that are written, as a pattern of IAM: `live`, `hints#*`. */
export function partitionPattern(kind: MetaKind): string {
  return BY_CLUSTER.has(kind) || BY_HASH.has(kind) || ALWAYS_DIVIDED.has(kind) ? `${kind}#*` : kind;
}
