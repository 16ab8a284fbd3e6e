import { PROBE_CLUSTER } from "../../ports/deployment/limits.ts";
import type { GapRecorded } from "../../job/model/fact.ts";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { isEndOfRecording, isSilent } from "../../job/status/silence.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { ofCluster } from "../../ports/meta-key.ts";
import { clusterRecord } from "../../ports/records/cluster-record.ts";
import { gapRecord } from "../../ports/records/gap-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";

export interface ClusterWatch {
  /** Clusters whose last heartbeat is older than five minutes. */
  readonly silent: readonly { readonly cluster: ClusterName; readonly since: Instant }[];
  /** Gaps that ended within the last {@link RECENT_MS}, while their cause can still be investigated. */
  readonly gaps: readonly { readonly cluster: ClusterName; readonly gap: GapRecorded }[];
}

/** How long a gap is reported after it ended. */
export const RECENT_MS = 60 * 60_000;

/** Silent clusters and recent gaps. Reads one record per cluster and per gap. */
export async function watchClusters(meta: MetaStore, now: Instant): Promise<ClusterWatch> {
  const silent: { readonly cluster: ClusterName; readonly since: Instant }[] = [];
  const gaps: { readonly cluster: ClusterName; readonly gap: GapRecorded }[] = [];
  for await (const { key, value } of listDecoded(meta, clusterRecord, "")) {
    const cluster = decodeClusterName(key);
    if (cluster === undefined || key === PROBE_CLUSTER) continue;
    const { observed } = value;
    // No exporter has sent a heartbeat yet.
    if (observed === undefined) continue;
    // A recording has no further heartbeats.
    if (!isEndOfRecording(observed) && isSilent(observed.at, now)) silent.push({ cluster, since: observed.at });
    gaps.push(...(await recentGaps(meta, cluster, now)));
  }
  return { silent, gaps };
}

async function recentGaps(meta: MetaStore, cluster: ClusterName, now: Instant) {
  const recent: { readonly cluster: ClusterName; readonly gap: GapRecorded }[] = [];
  for await (const { value: gap } of listDecoded(meta, gapRecord, ofCluster(cluster))) {
    if (now - gap.to < RECENT_MS) recent.push({ cluster, gap });
  }
  return recent;
}
