import type { CronJobRecord, HintRecord, NodeRecord } from "../job/cluster-record.ts";
import type { GapRecorded, HintTarget } from "../job/fact.ts";
import type { ClusterName } from "../job/ids.ts";
import type { MetaKind, MetaRecord, MetaStore } from "../ports/meta.ts";
import { cronJobKey, hintsKey, nodeKey, ofCluster } from "../ports/meta-key.ts";
import type { ClusterEntry } from "../projection/project-cluster.ts";

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

const PAGE = 500;

/** All records of a kind whose keys begin with `prefix`, page by page, in order of key; those after `from` where given. */
export async function* listRecords(
  meta: MetaStore,
  kind: MetaKind,
  prefix: string,
  from?: string,
): AsyncGenerator<MetaRecord> {
  let after = from;
  do {
    const page = await meta.list(kind, { prefix, limit: PAGE, ...(after !== undefined && { after }) });
    yield* page.records;
    after = page.next;
  } while (after !== undefined);
}

function valueOf(record: MetaRecord | undefined): unknown {
  return record === undefined ? undefined : JSON.parse(record.value);
}
