import { type HintTarget } from "../job/model/fact.ts";
import { hintKey } from "../job/model/cluster-record.ts";
import type { ClusterName } from "../job/model/ids.ts";
import { formatMillis, type Instant } from "../job/model/instant.ts";
import type { JobKey } from "./jobs.ts";
import type { ProjectionName } from "./projections.ts";

/**
 * Where the small records beside the Jobs lie in `meta`: kind and key. Every key begins with the cluster's name and `#`, which no name holds,
 * so that `list(kind, { prefix: ofCluster(cluster) })` is what one cluster has. Kind `cluster` is keyed by the name alone.
 */
export function ofCluster(cluster: ClusterName): string {
  return `${cluster}#`;
}

/** Kind `namespace`: that the cluster has Jobs there. */
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

/** Kind `gap`: one GapRecorded. */
export function gapKey(cluster: ClusterName, gapId: string): string {
  return `${cluster}#${gapId}`;
}

/** Kind `hints`: a HintRecord, by the object the hints are about. */
export function hintsKey(cluster: ClusterName, target: Pick<HintTarget, "kind" | "namespace" | "name">): string {
  return `${cluster}#${hintKey(target)}`;
}

/** Kind `logDay`: that the log has items of this UTC day (`yyyymmdd`); written before the first of them. */
export function logDayKey(cluster: ClusterName, day: string): string {
  return `${cluster}#${day}`;
}

/** Kind `late`: when a segment came that was late, and its `sk`. Arrivals of one cluster sort by time; the value is empty. */
export function lateKey(cluster: ClusterName, arrivedAt: Instant, sk: string): string {
  return `${cluster}#${formatMillis(arrivedAt)}#${sk}`;
}

/** Kind `waiting`: of one Job in one of the two projections. */
export function waitingKey({ cluster, jobUid }: JobKey, projection: ProjectionName): string {
  return `${cluster}#${jobUid}#${projection}`;
}

/** Kind `live`: the one record that says which projection answers. */
export const LIVE_KEY = "jobs";

/** Kind `position`: how far the replay is. Keys of a cluster's own begin with its name, and no name begins so. */
export const REPLAY_KEY = "#replay";

/** Kind `position`: how far the sweep is. */
export const SWEEP_KEY = "#sweep";

/** Kind `position`: how far the audit of a cluster's log is. */
export function auditKey(cluster: ClusterName): string {
  return `${cluster}#audit`;
}
