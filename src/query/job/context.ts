import { sweepsTargetsAround } from "../../job/attribution/pod-gc-record.ts";
import { type CronJobRecord, hintKey, type NodeRecord, type ClusterContext } from "../../job/model/cluster-context.ts";
import type { HintFact, HintTarget } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { hintRecord } from "../../ports/records/hint-record.ts";
import { listDecoded } from "../../ports/records/record-codec.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { hintsKey, ofCluster } from "../../ports/meta-key.ts";
import { cronJobOf } from "../../parents/cron-job/cron-lineage.ts";
import { readCluster, readCronJob, readGaps, readHints, readNode } from "../clusters/cluster-records.ts";

/**
 * What an answer about one Job needs besides its record. The context of a Pod (its Node, the hints about it) is loaded
 * with the Pod, because the Pods of a large Job are read page by page.
 */
export interface LoadedContext {
  readonly clusterContext: ClusterContext;
  loadPods(pods: readonly PodRecord[]): Promise<void>;
  /** Loads all hints about the Job's Pods together, for a caller that reads every Pod. */
  loadAllHints(): Promise<void>;
}

/** Loads the context of the Job itself: its CronJob, the hints about it, the cluster's gaps and version. */
export async function loadContext(meta: MetaStore, cluster: ClusterName, job: JobObject): Promise<LoadedContext> {
  const [cronJobs, hintsOfJob, gaps, entry] = await Promise.all([
    cronJobsOf(meta, cluster, job),
    hintsAbout(meta, cluster, objectsAround(job.created)),
    readGaps(meta, cluster),
    readCluster(meta, cluster),
  ]);
  const observed = entry?.observed;
  const seen = {
    ...(observed !== undefined && { heardAt: observed.at }),
    ...(observed?.serverVersion !== undefined && { serverVersion: observed.serverVersion }),
    ...(observed?.undated === true && { isUndated: true as const }),
  };
  const nodes = new Nodes(meta, cluster);
  const hints = new PodHints(meta, cluster, { job, hints: hintsOfJob });
  const around = { nodes: nodes.records, cronJobs, hints: hints.records, gaps };
  return {
    clusterContext: { ...around, ...seen },
    loadPods: async (pods) => {
      await Promise.all([nodes.load(pods), hints.load(pods)]);
    },
    loadAllHints: () => hints.loadAll(job),
  };
}

/** The hints about a Job and some of its Pods. */
export async function loadHints(
  meta: MetaStore,
  cluster: ClusterName,
  { job, pods }: { readonly job: JobObject; readonly pods: readonly PodRecord[] },
): Promise<ClusterContext["hints"]> {
  const hintsOfJob = await hintsAbout(meta, cluster, objectsAround(job.created));
  const hints = new PodHints(meta, cluster, { job, hints: hintsOfJob });
  if (pods.length > ONE_BY_ONE) await hints.loadAll(job);
  await hints.load(pods);
  return hints.records;
}
/** For more Pods than this, a page of all hints with the Job's name takes fewer requests. */
const ONE_BY_ONE = 16;

/** Nodes by name, each read once. */
class Nodes {
  readonly records = new Map<string, NodeRecord>();
  readonly #requested = new Set<string>();
  readonly #meta: MetaStore;
  readonly #cluster: ClusterName;

  constructor(meta: MetaStore, cluster: ClusterName) {
    this.#meta = meta;
    this.#cluster = cluster;
  }

  async load(pods: readonly PodRecord[]): Promise<void> {
    const names = pods.flatMap(({ scheduled }) => (scheduled === undefined ? [] : [scheduled.node]));
    const unknown = [...new Set(names)].filter((name) => !this.#requested.has(name));
    for (const name of unknown) this.#requested.add(name);
    for (const record of await Promise.all(unknown.map((name) => readNode(this.#meta, this.#cluster, name)))) {
      if (record !== undefined) this.records.set(record.node, record);
    }
  }
}

/** Hints by their object: {@link hintKey}. */
class PodHints {
  readonly records: Map<string, readonly HintFact[]>;
  readonly #meta: MetaStore;
  readonly #cluster: ClusterName;
  readonly #requested = new Set<string>();
  readonly #isJobGoing: boolean;
  /** All hints about Pods whose names have this prefix are loaded. */
  #loadedPrefix: string | undefined;

  constructor(
    meta: MetaStore,
    cluster: ClusterName,
    { job, hints }: { readonly job: JobObject; readonly hints: Hints },
  ) {
    this.records = new Map(hints);
    this.#meta = meta;
    this.#cluster = cluster;
    this.#isJobGoing = (job.deletionRequested ?? job.deleted ?? job.vanished) !== undefined;
  }

  async load(pods: readonly PodRecord[]): Promise<void> {
    const targets: Named[] = this.#sweepsOf(pods);
    for (const { created } of pods) {
      if (created === undefined || this.#has(created.name)) continue;
      this.#requested.add(created.name);
      targets.push({ kind: "Pod", namespace: created.namespace, name: created.name });
    }
    for (const [key, hints] of await hintsAbout(this.#meta, this.#cluster, targets)) this.#keep(key, hints);
  }

  /** Pages through the hints about all Pods with the Job's name prefix. It takes fewer requests than one per Pod. */
  async loadAll({ created }: JobObject): Promise<void> {
    if (created === undefined) return;
    this.#loadedPrefix = created.name.slice(0, KEPT_PREFIX);
    const prefix = hintsKey(this.#cluster, { kind: "Pod", namespace: created.namespace, name: this.#loadedPrefix });
    for await (const { key, value } of listDecoded(this.#meta, hintRecord, prefix)) {
      this.#keep(key.slice(ofCluster(this.#cluster).length), value.hints);
    }
  }

  /**
   * Sweeps of Pod GC at the times when ended Pods were deleted. Pods that are deleted with their Job are deleted by the
   * garbage collector.
   */
  #sweepsOf(pods: readonly PodRecord[]): Named[] {
    const targets: Named[] = [];
    if (this.#isJobGoing) return targets;
    for (const { deletionRequested, succeeded, failed } of pods) {
      if (deletionRequested === undefined || (succeeded ?? failed) === undefined) continue;
      for (const target of sweepsTargetsAround(deletionRequested.requestedAt)) {
        if (this.#requested.has(target.name)) continue;
        this.#requested.add(target.name);
        targets.push(target);
      }
    }
    return targets;
  }

  #has(name: string): boolean {
    return this.#requested.has(name) || (this.#loadedPrefix !== undefined && name.startsWith(this.#loadedPrefix));
  }

  #keep(key: string, hints: readonly HintFact[]): void {
    if (hints.length > 0) this.records.set(key, hints);
  }
}

/**
 * The Job controller names Pods after the Job and shortens the name so that index and suffix fit into 63 characters
 * (`podGenerateNameWithIndex`). This prefix is never shortened.
 */
const KEPT_PREFIX = 50;

type Named = Pick<HintTarget, "kind" | "namespace" | "name">;
type Hints = readonly (readonly [string, readonly HintFact[]])[];

async function hintsAbout(meta: MetaStore, cluster: ClusterName, targets: readonly Named[]): Promise<Hints> {
  return Promise.all(
    targets.map(async (target) => [hintKey(target), (await readHints(meta, cluster, target)).hints] as const),
  );
}

/** The Job, and the CronJob that created it. */
function objectsAround(created: JobObject["created"]): readonly Named[] {
  if (created === undefined) return [];
  const { namespace, name, owner } = created;
  const itself: Named = { kind: "Job", namespace, name };
  const cronJob = cronJobOf(owner);
  return cronJob === undefined ? [itself] : [itself, { kind: "CronJob", namespace, name: cronJob.name }];
}

async function cronJobsOf(
  meta: MetaStore,
  cluster: ClusterName,
  { created }: JobObject,
): Promise<ReadonlyMap<string, CronJobRecord>> {
  const owner = cronJobOf(created?.owner);
  const record = owner && (await readCronJob(meta, cluster, owner.uid));
  return new Map(record === undefined ? [] : [[record.cronJobUid, record]]);
}
