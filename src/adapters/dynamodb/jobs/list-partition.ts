import type { ClusterName, JobUid } from "../../../job/model/ids.ts";
import type { NamespaceOfJobs } from "../../../ports/jobs.ts";
import { WIDE_CLASSES, type WideClass, type WidePartition } from "../../../ports/wide-lists.ts";

/**
 * The number of partitions of a list. A partition of an index accepts 1,000 write units per second (Developer Guide,
 * "Burst and adaptive capacity"). DynamoDB does not split one whose sort key only increases, and throttles writes to
 * the table when it is full. A Job takes one unit of its namespace's list. Four shards accept 4,000 Jobs per second in
 * one namespace, more than one Job controller creates. Each page queries every shard, so more shards make reading more
 * expensive. After changing the number, run `outlive replay`.
 */
const SHARDS = 4;

const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard);

/** The partition of a Job in the list of its namespace. */
export function listPk(namespace: NamespaceOfJobs, uid: JobUid): string {
  return `${prefixOf(namespace, "F")}${shardOf(uid, SHARDS)}`;
}

export function listPartitions(namespace: NamespaceOfJobs): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${prefixOf(namespace, "F")}${shard}`);
}

/** Where earlier versions stored live Jobs. They moved a Job to {@link listPartitions} when it ended. */
export function earlierLivePartitions(namespace: NamespaceOfJobs): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${prefixOf(namespace, "A")}${shard}`);
}

/** One partition of a namespace's list and one of earlier versions: a sample of its Jobs. */
export function samplePartitions(namespace: NamespaceOfJobs): readonly string[] {
  return [`${prefixOf(namespace, "A")}0`, `${prefixOf(namespace, "F")}0`];
}

export function attentionPk(cluster: ClusterName, uid: JobUid): string {
  return `${cluster}#${shardOf(uid, SHARDS)}`;
}

export function attentionPartitions(cluster: ClusterName): readonly string[] {
  return SHARD_NUMBERS.map((shard) => `${cluster}#${shard}`);
}

/** Almost all Jobs enter class `O`. Each other class has a few percent of them. */
const WIDE_SHARDS: Readonly<Record<WideClass, number>> = { O: 4, T: 2, A: 2, B: 2 };

/** The partition of a Job in the lists of all clusters. */
export function widePk(wideClass: WideClass, uid: JobUid): WidePartition {
  return `${wideClass}#${shardOf(uid, WIDE_SHARDS[wideClass])}`;
}

/**
 * The partitions of a class. Most Jobs of class `O` have no entry in the index: records have those that were created
 * together (wide-record.ts).
 */
export function widePartitions(wideClass: WideClass): readonly WidePartition[] {
  const entries = Array.from({ length: WIDE_SHARDS[wideClass] }, (_, shard) => `${wideClass}#${shard}`);
  return wideClass === "O" ? [...entries, ...WIDE_RECORD_PARTITIONS] : entries;
}

/** The class of the Jobs of a partition; `undefined` if `pk` is not one. */
export function wideClassOf(pk: string): WideClass | undefined {
  return isRecordPartition(pk) ? "O" : WIDE_CLASSES.find((wideClass) => pk.startsWith(`${wideClass}#`));
}

/** The number of partitions of the table for records. One takes 1,000 records per second, each of several Jobs. */
export const WIDE_RECORD_SHARDS = 2;
/** No Job has this key: the name of a cluster is not empty. */
const WIDE_RECORD_PREFIX = "#wide#";
export const WIDE_RECORD_PARTITIONS: readonly WidePartition[] = Array.from({ length: WIDE_RECORD_SHARDS }, (_, shard) =>
  wideRecordPk(shard),
);

export function wideRecordPk(shard: number): WidePartition {
  return `${WIDE_RECORD_PREFIX}${shard}`;
}

export function isRecordPartition(pk: string): boolean {
  return pk.startsWith(WIDE_RECORD_PREFIX);
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
export function readNameKey(nameKey: string): { readonly namespace: string; readonly name: string } {
  const [, namespace = "", name = ""] = nameKey.split("#");
  return { namespace: unescapePart(namespace), name: unescapePart(name) };
}

function prefixOf({ cluster, namespace }: NamespaceOfJobs, half: "A" | "F"): string {
  return `${cluster}#${escapePart(namespace)}#${half}#`;
}

/** Kubernetes does not allow `#` in a name, but a sender could use it. */
function escapePart(part: string): string {
  return part.replaceAll("%", "%25").replaceAll("#", "%23");
}

function unescapePart(part: string): string {
  return part.replaceAll("%23", "#").replaceAll("%25", "%");
}

/** FNV-1a, 32 bits: stable, and evenly distributed even for sequential uids. Never change it. */
function shardOf(uid: JobUid, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index += 1) {
    hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % shards;
}
