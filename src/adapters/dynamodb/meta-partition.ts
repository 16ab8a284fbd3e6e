import { ALWAYS_DIVIDED, BY_CLUSTER, BY_HASH } from "../../ports/deployment/record-partitions.ts";
import type { MetaKind } from "../../ports/meta.ts";

/** The first digits of the keys of a kind that is divided by hash, in order; `undefined` for other kinds. */
export function hashDigits(kind: MetaKind): readonly string[] | undefined {
  return BY_HASH.has(kind) ? "0123456789abcdef".split("") : undefined;
}

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
