import type { GapRecorded } from "../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { PROBE_CLUSTER } from "../ingest/probe-cluster.ts";
import { listRecords } from "../ports/list-records.ts";
import type { MetaStore } from "../ports/meta.ts";
import { ofCluster } from "../ports/meta-key.ts";
import type { ClusterEntry } from "../projection/project-cluster.ts";

export interface ClusterWatch {
  /** Clusters that were heard of once, and not within the last {@link SILENT_MS}. */
  readonly silent: readonly { readonly cluster: ClusterName; readonly since: Instant }[];
  /** Times in which nobody watched, and that ended within the last {@link RECENT_MS}: people may look into them while the cause is at hand. */
  readonly gaps: readonly { readonly cluster: ClusterName; readonly gap: GapRecorded }[];
}

/** An exporter says each minute that it is there; five of these do not get lost by chance. */
export const SILENT_MS = 5 * 60_000;
/** Shown for so long after it ended. */
export const RECENT_MS = 60 * 60_000;

/** Whether a cluster that was heard of at `heardAt` has been silent for too long. */
export function isSilent(heardAt: Instant, now: Instant): boolean {
  return now - heardAt >= SILENT_MS;
}

/** How the clusters are watched. Reads a record for each cluster and for each gap. */
export async function watchClusters(meta: MetaStore, now: Instant): Promise<ClusterWatch> {
  const silent: { readonly cluster: ClusterName; readonly since: Instant }[] = [];
  const gaps: { readonly cluster: ClusterName; readonly gap: GapRecorded }[] = [];
  for await (const { key, value } of listRecords(meta, "cluster", "")) {
    const cluster = decodeClusterName(key);
    if (cluster === undefined || key === PROBE_CLUSTER) continue;
    const heardAt = (JSON.parse(value) as ClusterEntry).observed?.at;
    // One that never said that it is there was imported, or is being set up.
    if (heardAt === undefined) continue;
    if (isSilent(heardAt, now)) silent.push({ cluster, since: heardAt });
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
