import { createHash } from "node:crypto";
import { type HintTarget } from "../job/model/fact.ts";
import { hintKey } from "../job/model/cluster-context.ts";
import type { ClusterName } from "../job/model/ids.ts";
import { formatMillis, type Instant } from "../job/model/instant.ts";
import type { JobKey } from "./jobs.ts";
import type { LogHour } from "./log.ts";
import type { ProjectionName } from "./projections.ts";

/**
 * The keys of records in `meta`. A key begins with the cluster's name and `#`, which is not valid in a name. So
 * `list(kind, { prefix: ofCluster(cluster) })` lists one cluster. The key of kind `cluster` is the name alone.
 */
export function ofCluster(cluster: ClusterName): string {
  return `${cluster}#`;
}

/** The cluster of a key that begins with its name. */
export function clusterIn(key: string): string {
  return key.slice(0, key.indexOf("#"));
}

/** Kind `namespace`: a namespace with Jobs. */
export function namespaceKey(cluster: ClusterName, namespace: string): string {
  return `${cluster}#${namespace}`;
}

/** Kind `node`: a NodeRecord, by the Node's name. */
export function nodeKey(cluster: ClusterName, node: string): string {
  return `${cluster}#${node}`;
}

/** Kind `cronjob`: a CronJobRecord. */
export function cronJobKey(cluster: ClusterName, cronJobUid: string): string {
  return `${cluster}#${cronJobUid}`;
}

/** Kind `namespaceMarks`: a NamespaceMarksRecord, by the name of the namespace. */
export function namespaceMarksKey(cluster: ClusterName, namespace: string): string {
  return `${cluster}#${namespace}`;
}

/** Kind `series`: the newest runs of a series, by its key (src/parents/series/series-key.ts). */
export function seriesRecordKey(cluster: ClusterName, namespace: string, series: string): string {
  return `${cluster}#${namespace}#${createHash("sha256").update(series).digest("hex").slice(0, HASH_DIGITS)}`;
}

/** With 64 bits, two of 1,000,000 series of a namespace have one record with a probability of 3 in 100 million. */
const HASH_DIGITS = 16;

/** Kind `gap`: one GapRecorded. */
export function gapKey(cluster: ClusterName, gapId: string): string {
  return `${cluster}#${gapId}`;
}

/** Kind `hints`: a HintRecord, by the object that the hints are about. */
export function hintsKey(cluster: ClusterName, target: Pick<HintTarget, "kind" | "namespace" | "name">): string {
  return `${cluster}#${hintKey(target)}`;
}

/** Kind `logDay`: a UTC day (`yyyymmdd`) of the log, written before its first item. */
export function logDayKey(cluster: ClusterName, day: string): string {
  return `${cluster}#${day}`;
}

/** Kind `logHour`: a UTC hour of a shard of the log, in order of the hours, written before its first pack. */
export function logHourKey({ hour, shard }: LogHour): string {
  return `${hour}#${String(shard).padStart(2, "0")}`;
}

/** The inverse of {@link logHourKey}. */
export function logHourOf(key: string): LogHour {
  const [hour = "", shard] = key.split("#");
  return { shard: Number(shard), hour };
}

/** Kind `late`: the arrival time and `sk` of a late segment, in order of arrival. The value is empty. */
export function lateKey(cluster: ClusterName, arrivedAt: Instant, sk: string): string {
  return `${cluster}#${formatMillis(arrivedAt)}#${sk}`;
}

/** Kind `changes`: a shard, and the sort key of a pack of changes, in order of their announcement. */
export function changesKey(shard: number, sk: string): string {
  return `${shard}#${sk}`;
}

/** Kind `position`: when the first change was announced. */
export const CHANGES_BEGIN_KEY = "#changes";

/** Kind `counts`: the sums of a UTC hour (`yyyymmddhh`) of a cluster in one of the two projections. */
export function hourCountsKey(cluster: ClusterName, projection: ProjectionName, hour: string): string {
  return `${cluster}#${projection}#hour#${hour}`;
}

/** Kind `counts`: the sums of a UTC day (`yyyymmdd`), by what they are grouped. */
export function dayCountsKey(cluster: ClusterName, projection: ProjectionName, by: string): (day: string) => string {
  return (day) => `${cluster}#${projection}#day#${by}#${day}`;
}

/** Kind `position`: how far the writes of a projection are counted. */
export function countPositionKey(projection: ProjectionName): string {
  return `#counts#${projection}`;
}

/** Kind `countShard`: how far a shard of the stream of a projection's table is counted. */
export function countShardKey(projection: ProjectionName, shard: string): string {
  return `${projection}#${shard}`;
}

/** Kind `countShard`: that a shard had writes in a UTC hour (`yyyymmddhh`). */
export function activeShardKey(projection: ProjectionName, hour: string): (shard: string) => string {
  return (shard) => `${projection}-active#${hour}#${shard}`;
}

/** Kind `countBatch`: the writes of a shard that were delivered together, by the position of the first. */
export function countBatchKey(projection: ProjectionName, shard: string): (position: string) => string {
  return (position) => `${projection}#${shard}#${position === "" ? "" : position.padStart(POSITION_DIGITS, "0")}`;
}

/** The most digits of a sequence number (DynamoDB API, StreamRecord). */
const POSITION_DIGITS = 40;

/** Kind `metrics`: a part of the metrics of a cluster's Jobs in one of the two projections. */
export function metricsKey(cluster: ClusterName, projection: ProjectionName, part: number | ""): string {
  return `${cluster}#${projection}#${part === "" ? "" : String(part).padStart(4, "0")}`;
}

/** Kind `position`: which projection the metrics of Jobs are counted from. */
export const METRICS_KEY = "#metrics";

/** Kind `cronCounts`: what a part of a cluster's CronJobs add to the metrics, by the first digits of their uids. */
export function scheduleCountsKey(cluster: ClusterName, digits: string): string {
  return `${cluster}#${digits}`;
}

/** Kind `position`: until when the schedules of each cluster are counted. */
export const SCHEDULES_KEY = "#schedules";

/** Kind `position`: the CronJob at which the next turn of the rules about schedules begins. */
export const WATCH_KEY = "#watch";

/** Kind `position`: the commands of several steps that are not finished. */
export const UNFINISHED_KEY = "#unfinished";

/** Kind `waiting`: the waiting segments of one Job in one of the two projections. */
export function waitingKey({ cluster, jobUid }: JobKey, projection: ProjectionName): string {
  return `${cluster}#${jobUid}#${projection}`;
}

/** Kinds `retention` and `removed`: a namespace, or the whole cluster. */
export function retentionKey(cluster: string, namespace = ""): string {
  return `${cluster}#${namespace}`;
}

/** What a legal hold covers: the Jobs of a name, a namespace, or the whole cluster. */
export interface Held {
  readonly cluster: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Kind `hold`. */
export function holdKey({ cluster, namespace = "", name = "" }: Held): string {
  return `${cluster}#${namespace}#${name}`;
}

/** The inverse of {@link holdKey}. */
export function heldOf(key: string): Held {
  const [cluster = "", namespace = "", name = ""] = key.split("#");
  return { cluster, ...(namespace !== "" && { namespace }), ...(name !== "" && { name }) };
}

/** Kind `acknowledgement`: by the id of the entry that it is about. */
export function acknowledgementKey(cluster: string, namespace: string, id: string): string {
  return `${cluster}#${namespace}#${id}`;
}

/** Kind `position`: how far a rule of kind `retention` or a hold has been applied to stored Jobs. */
export const RENEWAL_PREFIX = "#renewal#";

export function renewalKey(kind: "retention" | "hold", key: string): string {
  return `${RENEWAL_PREFIX}${kind}#${key}`;
}

/** Kind `live`: the only record, which names the projection that answers. */
export const LIVE_KEY = "jobs";

/**
 * Kind `position`: the checkpoint of the replay. It cannot collide with a cluster's key, which begins with its name.
 */
export const REPLAY_KEY = "#replay";

/** Kind `position`: the progress of a unit of a replay, by its name. */
export const UNIT_PREFIX = "#unit#";

export function unitKey(id: string): string {
  return `${UNIT_PREFIX}${id}`;
}

/** Kind `position`: the archive of the log. */
export const ARCHIVE_KEY = "#archive";

/** Kind `position`: how far the archive was verified. */
export const ARCHIVE_VERIFIED_KEY = "#archiveVerified";

/** Kind `position`: which records of erasures a manifest of the archive lists. */
export const ARCHIVE_ERASURES_KEY = "#archiveErasures";

/** Kind `position`: its version rises with every change of the erasures. */
export const ERASURES_KEY = "#erasures";

/** Kind `position`: the checkpoint of a shard of the sweep. */
export function sweepShardKey(index: number, of: number): string {
  return `#sweepShard#${index}/${of}`;
}

/** Kind `position`: when the rounds of the sweep began. */
export const SWEEP_ROUND_KEY = "#sweepRound";

/** Kind `position`: the checkpoints of the audit of each shard's packs. A cluster's key begins with its name. */
export const SHARD_AUDIT_PREFIX = "#audit#";

export function shardAuditKey(shard: number): string {
  return `${SHARD_AUDIT_PREFIX}${String(shard).padStart(2, "0")}`;
}

/** Kind `position`: the checkpoint of the audit of a cluster's log. */
export function auditKey(cluster: ClusterName): string {
  return `${cluster}#audit`;
}
