import {
  type CronJobRecord,
  hintKey,
  type HintRecord,
  type NodeRecord,
  type Surroundings,
} from "../job/cluster-record.ts";
import type { HintFact, HintTarget } from "../job/fact.ts";
import type { ClusterName } from "../job/ids.ts";
import type { JobRecord } from "../job/job-record.ts";
import type { MetaStore } from "../ports/meta.ts";
import { hintsKey } from "../ports/meta-key.ts";
import { listRecords, readCluster, readCronJob, readGaps, readHints, readNode } from "./cluster-records.ts";

/** What an answer about one Job needs besides its record: the Nodes its Pods ran on, the CronJob that made it, the hints about it and them, the cluster's gaps and version. */
export async function surroundingsOf(meta: MetaStore, cluster: ClusterName, record: JobRecord): Promise<Surroundings> {
  const [nodes, cronJobs, hints, gaps, entry] = await Promise.all([
    nodesOf(meta, cluster, record),
    cronJobsOf(meta, cluster, record.job),
    hintsOf(meta, cluster, record),
    readGaps(meta, cluster),
    readCluster(meta, cluster),
  ]);
  const serverVersion = entry?.observed?.serverVersion;
  return { nodes, cronJobs, hints, gaps, ...(serverVersion !== undefined && { serverVersion }) };
}

async function nodesOf(
  meta: MetaStore,
  cluster: ClusterName,
  { pods }: JobRecord,
): Promise<ReadonlyMap<string, NodeRecord>> {
  const names = new Set(
    [...pods.values()].flatMap(({ scheduled }) => (scheduled === undefined ? [] : [scheduled.node])),
  );
  const records = await Promise.all([...names].map((name) => readNode(meta, cluster, name)));
  return new Map(records.flatMap((record) => (record === undefined ? [] : [[record.node, record]])));
}

async function cronJobsOf(
  meta: MetaStore,
  cluster: ClusterName,
  { created }: JobRecord["job"],
): Promise<ReadonlyMap<string, CronJobRecord>> {
  const owner = created?.owner;
  const record = owner?.kind === "CronJob" ? await readCronJob(meta, cluster, owner.uid) : undefined;
  return new Map(record === undefined ? [] : [[record.cronJobUid, record]]);
}

type Named = Pick<HintTarget, "kind" | "namespace" | "name">;
type Hints = readonly (readonly [string, readonly HintFact[]])[];

async function hintsOf(
  meta: MetaStore,
  cluster: ClusterName,
  { job, pods }: JobRecord,
): Promise<Surroundings["hints"]> {
  const named = [...pods.values()].flatMap(({ created }): Named[] =>
    created === undefined ? [] : [{ kind: "Pod", namespace: created.namespace, name: created.name }],
  );
  const around = namedAround(job.created);
  if (named.length <= READ_ONE_BY_ONE || job.created === undefined) {
    return new Map(await hintsAbout(meta, cluster, [...around, ...named]));
  }
  const prefix: Named = { kind: "Pod", namespace: job.created.namespace, name: job.created.name.slice(0, NEVER_CUT) };
  const [near, ofPods] = await Promise.all([
    hintsAbout(meta, cluster, around),
    hintsByPrefix(meta, cluster, prefix, named),
  ]);
  return new Map([...near, ...ofPods]);
}

/** Up to here each Pod's hints are read by key; beyond, those of all names that begin as the Job's Pods do are paged through. */
const READ_ONE_BY_ONE = 64;
/** The Job controller names Pods after the Job, cut so that index and suffix fit into 63 characters (`podGenerateNameWithIndex`): this much is never cut. */
const NEVER_CUT = 50;

/** The Job itself, and the CronJob that made it. */
function namedAround(job: JobRecord["job"]["created"]): readonly Named[] {
  if (job === undefined) return [];
  const { namespace, name, owner } = job;
  const itself: Named = { kind: "Job", namespace, name };
  return owner?.kind === "CronJob" ? [itself, { kind: "CronJob", namespace, name: owner.name }] : [itself];
}

async function hintsAbout(meta: MetaStore, cluster: ClusterName, targets: readonly Named[]): Promise<Hints> {
  return Promise.all(
    targets.map(async (target) => [hintKey(target), (await readHints(meta, cluster, target)).hints] as const),
  );
}

async function hintsByPrefix(
  meta: MetaStore,
  cluster: ClusterName,
  prefix: Named,
  wanted: readonly Named[],
): Promise<Hints> {
  const keys = new Map(wanted.map((target) => [hintsKey(cluster, target), hintKey(target)]));
  const found: (readonly [string, readonly HintFact[]])[] = [];
  for await (const { key, value } of listRecords(meta, "hints", hintsKey(cluster, prefix))) {
    const target = keys.get(key);
    if (target !== undefined) found.push([target, (JSON.parse(value) as HintRecord).hints]);
  }
  return found;
}
