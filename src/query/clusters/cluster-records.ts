import type { CronJobRecord, HintRecord, NodeRecord } from "../../job/model/cluster-record.ts";
import type { GapRecorded, HintTarget } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaRecord, MetaStore } from "../../ports/meta.ts";
import { cronJobKey, hintsKey, nodeKey, ofCluster } from "../../ports/meta-key.ts";
import type { ClusterEntry } from "../../projection/project-cluster.ts";

export async function readCluster(meta: MetaStore, cluster: ClusterName): Promise<ClusterEntry | undefined> {
  return valueOf(await meta.read("cluster", cluster)) as ClusterEntry | undefined;
}

export async function readNode(meta: MetaStore, cluster: ClusterName, node: string): Promise<NodeRecord | undefined> {
  return valueOf(await meta.read("node", nodeKey(cluster, node))) as NodeRecord | undefined;
}

export async function readCronJob(
  meta: MetaStore,
  cluster: ClusterName,
  cronJobUid: string,
): Promise<CronJobRecord | undefined> {
  return valueOf(await meta.read("cronjob", cronJobKey(cluster, cronJobUid))) as CronJobRecord | undefined;
}

export async function readHints(
  meta: MetaStore,
  cluster: ClusterName,
  target: Pick<HintTarget, "kind" | "namespace" | "name">,
): Promise<HintRecord> {
  const record = valueOf(await meta.read("hints", hintsKey(cluster, target))) as HintRecord | undefined;
  return record ?? { hints: [] };
}

/** The gaps of a cluster, by id. */
export async function readGaps(meta: MetaStore, cluster: ClusterName): Promise<readonly GapRecorded[]> {
  const gaps: GapRecorded[] = [];
  for await (const { value } of listRecords(meta, "gap", ofCluster(cluster))) {
    gaps.push(JSON.parse(value) as GapRecorded);
  }
  return gaps;
}

/** The value as projections wrote it: all records of a kind have one type. */
function valueOf(record: MetaRecord | undefined): unknown {
  return record === undefined ? undefined : JSON.parse(record.value);
}
