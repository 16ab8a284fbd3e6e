import type { GapRecorded } from "../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { isEndOfRecording, isSilent, type SILENT_AFTER_MILLIS } from "../job/status/silence.ts";
import { PROBE_CLUSTER } from "../ingest/probe-cluster.ts";
import { listRecords } from "../ports/list-records.ts";
import type { MetaStore } from "../ports/meta.ts";
import { ofCluster } from "../ports/meta-key.ts";
import type { ClusterEntry } from "../projection/project-cluster.ts";

export interface ClusterWatch {
  /** Clusters that were heard of once, and not within the last {@link SILENT_AFTER_MILLIS}. */
  readonly silent: readonly { readonly cluster: ClusterName; readonly since: Instant }[];
  /** Times in which nobody watched, and that ended within the last {@link RECENT_MS}: people may look into them while the cause is at hand. */
  readonly gaps: readonly { readonly cluster: ClusterName; readonly gap: GapRecorded }[];
}

/** Shown for so long after it ended. */
export const RECENT_MS = 60 * 60_000;

/** How the clusters are watched. Reads a record for each cluster and for each gap. */
export async function watchClusters(meta: MetaStore, now: Instant): Promise<ClusterWatch> {
  const silent: { readonly cluster: ClusterName; readonly since: Instant }[] = [];
  const gaps: { readonly cluster: ClusterName; readonly gap: GapRecorded }[] = [];
  for await (const { key, value } of listRecords(meta, "cluster", "")) {
    const cluster = decodeClusterName(key);
    if (cluster === undefined || key === PROBE_CLUSTER) continue;
    const { observed } = JSON.parse(value) as ClusterEntry;
    // No exporter has sent a heartbeat yet.
    if (observed === undefined) continue;
    // Nothing more is expected of a recording.
    if (!isEndOfRecording(observed) && isSilent(observed.at, now)) silent.push({ cluster, since: observed.at });
    gaps.push(...(await recentGaps(meta, cluster, now)));
  }
  return { silent, gaps };
}

async function recentGaps(meta: MetaStore, cluster: ClusterName, now: Instant) {
  const recent: { readonly cluster: ClusterName; readonly gap: GapRecorded }[] = [];
  for await (const { value } of listRecords(meta, "gap", ofCluster(cluster))) {
    const gap = JSON.parse(value) as GapRecorded;
    if (now - gap.to < RECENT_MS) recent.push({ cluster, gap });
  }
  return recent;
}
