import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { ListPartition } from "../../ports/jobs.ts";

/**
 * The number of partitions of a list. A partition of an index accepts 1,000 write units per second (Developer Guide,
 * "Burst and adaptive capacity"). DynamoDB does not split one whose sort key only increases, and throttles writes to
 * the table when it is full. A Job takes two units of its namespace's list while it lives and one when it ends. Four
 * shards handle 2,000 Jobs per second in one namespace, more than one Job controller creates. Each page queries every
 * shard, so more shards cost readers. After changing the number, run `outlive replay`.
 */
const SHARDS = 4;

const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The partition of a Job in its list. */
export function listPk({ cluster, namespace, phase }: ListPartition, uid: JobUid): string {
  return `${prefixOf({ cluster, namespace, phase })}${shardOf(uid)}`;
}

export function listPartitions(partition: ListPartition): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${prefixOf(partition)}${shard}`);
}

/** One of the partitions of each half of a namespace's list, for a sample of its Jobs. */
export function samplePartitions(namespace: Omit<ListPartition, "phase">): readonly string[] {
  return (["A", "F"] as const).map((phase) => `${prefixOf({ ...namespace, phase })}0`);
}

export function attentionPk(cluster: ClusterName, uid: JobUid): string {
  return `${cluster}#${shardOf(uid)}`;
}

export function attentionPartitions(cluster: ClusterName): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${cluster}#${shard}`);
}

/** All Jobs of one name are in one partition: a thousand of them are never created per second. */
export function namePk({
  cluster,
  namespace,
  name,
}: {
  cluster: ClusterName;
  namespace: string;
  name: string;
}): string {
  return `${cluster}#${escapePart(namespace)}#${escapePart(name)}`;
}

/** The fields of a row that its keys contain, so that an item stores them once. */
export function readKeys(listKey: string, nameKey: string) {
  const [, namespace = "", name = ""] = nameKey.split("#");
  const phase: "A" | "F" = listKey.split("#")[2] === "A" ? "A" : "F";
  return { namespace: unescapePart(namespace), name: unescapePart(name), phase };
}

function prefixOf({ cluster, namespace, phase }: ListPartition): string {
  return `${cluster}#${escapePart(namespace)}#${phase}#`;
}

/** Kubernetes does not allow `#` in a name, but a sender could use it. */
function escapePart(part: string): string {
  return part.replaceAll("%", "%25").replaceAll("#", "%23");
}

function unescapePart(part: string): string {
  return part.replaceAll("%23", "#").replaceAll("%25", "%");
}

/** FNV-1a, 32 bits: stable, and evenly distributed even for sequential uids. Never change it. */
function shardOf(uid: JobUid): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index += 1) {
    hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % SHARDS;
}
