import type { CronJobRecord, HintRecord, NodeRecord } from "../../job/model/cluster-context.ts";
import type { GapRecorded, HintTarget } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { cronJobKey, hintsKey, nodeKey, ofCluster } from "../../ports/meta-key.ts";
import { type ClusterRecord, clusterRecord } from "../../ports/records/cluster-record.ts";
import { cronJobRecord } from "../../ports/records/cron-job-record.ts";
import { gapRecord } from "../../ports/records/gap-record.ts";
import { hintRecord } from "../../ports/records/hint-record.ts";
import { nodeRecord } from "../../ports/records/node-record.ts";
import { listDecoded, readRecord } from "../../ports/records/record-codec.ts";

export async function readCluster(meta: MetaStore, cluster: ClusterName): Promise<ClusterRecord | undefined> {
  return (await readRecord(meta, clusterRecord, cluster))?.value;
}

export async function readNode(meta: MetaStore, cluster: ClusterName, node: string): Promise<NodeRecord | undefined> {
  return (await readRecord(meta, nodeRecord, nodeKey(cluster, node)))?.value;
}

export async function readCronJob(
  meta: MetaStore,
  cluster: ClusterName,
  cronJobUid: string,
): Promise<CronJobRecord | undefined> {
  return (await readRecord(meta, cronJobRecord, cronJobKey(cluster, cronJobUid)))?.value;
}

export async function readHints(
  meta: MetaStore,
  cluster: ClusterName,
  target: Pick<HintTarget, "kind" | "namespace" | "name">,
): Promise<HintRecord> {
  return (await readRecord(meta, hintRecord, hintsKey(cluster, target)))?.value ?? { hints: [] };
}

/** The gaps of a cluster, by id. */
export async function readGaps(meta: MetaStore, cluster: ClusterName): Promise<readonly GapRecorded[]> {
  const gaps: GapRecorded[] = [];
  for await (const { value } of listDecoded(meta, gapRecord, ofCluster(cluster))) gaps.push(value);
  return gaps;
}
