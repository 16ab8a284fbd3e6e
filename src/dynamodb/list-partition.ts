import type { ClusterName, JobUid } from "../job/model/ids.ts";
import type { ListPartition } from "../ports/jobs.ts";

/**
 * Into how many partitions a list is dealt. A partition of an index takes 1,000 write units in a second (Developer Guide, "Burst and adaptive capacity"),
 * and one whose sort key only rises is not split by its heat; when it is full, the writes to the table are throttled with it. A Job that comes and goes
 * costs the list of its namespace two units while it lives and one when it has ended: four shards carry 2,000 Jobs in a second that begin and end in one
 * namespace, which is more than one Job controller makes. Each page asks every shard, so more would cost the readers. Another number is another
 * projection: change it, then `outlive replay`.
 */
const SHARDS = 4;

const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The partition of a Job among those of its list. */
export function listPk({ cluster, namespace, phase }: ListPartition, uid: JobUid): string {
  return `${prefixOf({ cluster, namespace, phase })}${shardOf(uid)}`;
}

export function listPartitions(partition: ListPartition): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${prefixOf(partition)}${shard}`);
}

export function attentionPk(cluster: ClusterName, uid: JobUid): string {
  return `${cluster}#${shardOf(uid)}`;
}

export function attentionPartitions(cluster: ClusterName): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${cluster}#${shard}`);
}

/** All incarnations of a name lie together: nobody makes a thousand Jobs of one name in a second. */
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

/** What the keys of a state say of its Job: they are made of it, so it is not written twice. */
export function readKeys(listKey: string, nameKey: string) {
  const [, namespace = "", name = ""] = nameKey.split("#");
  const phase: "A" | "F" = listKey.split("#")[2] === "A" ? "A" : "F";
  return { namespace: unescapePart(namespace), name: unescapePart(name), phase };
}

function prefixOf({ cluster, namespace, phase }: ListPartition): string {
  return `${cluster}#${escapePart(namespace)}#${phase}#`;
}

/** Kubernetes allows no `#` in a name, but whoever sends facts may. */
function escapePart(part: string): string {
  return part.replaceAll("%", "%25").replaceAll("#", "%23");
}

function unescapePart(part: string): string {
  return part.replaceAll("%23", "#").replaceAll("%25", "%");
}

/** FNV-1a, 32 bits: the same for ever, and spread also where uids count up. */
function shardOf(uid: JobUid): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index += 1) {
    hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % SHARDS;
}
