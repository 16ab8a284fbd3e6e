import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { Observation } from "../../parents/cron-job/due-runs.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { readCluster, readGaps } from "../clusters/cluster-records.ts";

/** Until when a cluster was observed, and its gaps. Without a heartbeat, no time is known to have been observed. */
export async function observationOf(meta: MetaStore, cluster: ClusterName, now: Instant): Promise<Observation> {
  const [known, gaps] = await Promise.all([readCluster(meta, cluster), readGaps(meta, cluster)]);
  return { heardAt: known?.observed?.at ?? -Infinity, gaps, now };
}
