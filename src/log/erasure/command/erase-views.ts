import type { ClusterName } from "../../../job/model/ids.ts";
import { decodeJobUid } from "../../../job/model/ids.ts";
import { isRunFact, type RunFact } from "../../../job/model/fact.ts";
import type { ErasableViews, NamedJob } from "../../../ports/erasing/erasable-views.ts";
import type { Eraser, StateEraser } from "../../../ports/erasing/eraser.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import { cronJobKey } from "../../../ports/meta-key.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels } from "../../../ports/metric-store.ts";
import type { ProjectionName, Projections } from "../../../ports/projections.ts";
import type { ErasableArchive } from "../erasable-archive.ts";
import type { Segment } from "../../../segment/segment.ts";
import type { Erasure } from "../erasure.ts";
import { type LogStores, readableSegment, segmentsOfCluster } from "./erase-log.ts";

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/** Removes the erased Jobs from both projections. Returns how many states and records with erased Jobs there were. */
export async function eraseJobs(eraser: StateEraser, erasure: Erasure, cluster: ClusterName): Promise<number> {
  let removed = 0;
  for (const projection of PROJECTIONS) {
    for await (const jobUid of eraser.storedJobs(projection, cluster)) {
      if (!erasure.isErasedJob(cluster, jobUid)) continue;
      await eraser.removeJob(projection, { cluster, jobUid });
      removed += 1;
    }
    const isErased = (job: JobKey) => erasure.isErasedJob(job.cluster, job.jobUid);
    removed += (await eraser.unlistJobs?.(projection, isErased)) ?? 0;
  }
  return removed;
}

export interface RunStores extends LogStores {
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "runs">;
  readonly views: Pick<ErasableViews, "eraseRuns">;
  readonly archive?: ErasableArchive | undefined;
}

/** Removes what is erased from the runs of both projections. Returns how many runs there were. */
export async function eraseRuns(stores: RunStores, erasure: Erasure, cluster: ClusterName): Promise<number> {
  const isErasedJob = (job: NamedJob): boolean => {
    erasure.learnJob(job);
    return erasure.isErasedJob(cluster, job.uid);
  };
  return stores.views.eraseRuns({
    cluster,
    projections: stores.projections,
    eraser: stores.eraser.runs,
    isErasedJob,
    isErasedFact: (fact) => erasure.isErased(cluster, fact),
    factsLeft: () => factsLeft(stores, erasure, cluster),
  });
}

/** The archive may still have erased facts: it is erased after the states. */
async function* factsLeft(stores: RunStores, erasure: Erasure, cluster: ClusterName): AsyncGenerator<RunFact> {
  const left = ({ facts }: Pick<Segment, "facts">) =>
    facts.filter(isRunFact).filter((fact) => !erasure.isErased(cluster, fact));
  for await (const item of segmentsOfCluster(stores, cluster)) yield* left(readableSegment(item));
  const { archive } = stores;
  if (archive === undefined) return;
  for await (const segment of archive.segments(cluster)) yield* left(segment);
}

/** Stores in which objects of a cluster have an id of their own. */
export interface SubjectStores {
  readonly meta: MetaStore;
  readonly projections: Pick<Projections, "runs">;
  readonly eraser: Pick<Eraser, "notices" | "metrics">;
}

/**
 * Removes the messages about erased Jobs and CronJobs, and their contributions to metrics. The sums stay. Call it after
 * the records of CronJobs were erased. Returns the number of subjects.
 */
export async function eraseSubjects(stores: SubjectStores, erasure: Erasure, cluster: ClusterName): Promise<number> {
  return (await eraseMessages(stores, erasure, cluster)) + (await forgetMetrics(stores, erasure, cluster));
}

/** Removes the names of an erased namespace from metrics. Call it after everything that contributes was removed. */
export async function relabelMetrics({ metrics }: Pick<Eraser, "metrics">, erasure: Erasure): Promise<void> {
  await metrics?.relabel((labels) => erasedLabels(labels, erasure));
}

async function eraseMessages(stores: SubjectStores, erasure: Erasure, cluster: ClusterName): Promise<number> {
  const { notices } = stores.eraser;
  let erased = 0;
  for (const subject of (await notices?.subjects(cluster)) ?? []) {
    const [, kind = "", uid = ""] = subject.split("#");
    if (!(await isErasedSubject(stores, erasure, { cluster, kind, uid }))) continue;
    await notices?.erase(subject, `${cluster}#erased#${erasure.scope.id}`);
    erased += 1;
  }
  return erased;
}

async function forgetMetrics(stores: SubjectStores, erasure: Erasure, cluster: ClusterName): Promise<number> {
  const { metrics } = stores.eraser;
  let forgotten = 0;
  for (const id of (await metrics?.subjects(cluster)) ?? []) {
    if (!(await isErasedSubject(stores, erasure, { cluster, ...kindOfMetric(id) }))) continue;
    await metrics?.forget(cluster, id);
    forgotten += 1;
  }
  return forgotten;
}

interface Subject {
  readonly cluster: ClusterName;
  /** The kind as in messages: `Job`, `CronJob`, `Cluster`. `CountedRun`: the run counts while it exists. */
  readonly kind: string;
  readonly uid: string;
}

/**
 * Whether a subject is erased. A CronJob without a record counts as erased if the erasure can have removed its record.
 */
async function isErasedSubject(
  { meta, projections }: SubjectStores,
  erasure: Erasure,
  { cluster, kind, uid }: Subject,
): Promise<boolean> {
  const jobUid = decodeJobUid(uid);
  if (kind === "Job") return jobUid !== undefined && erasure.isErasedJob(cluster, jobUid);
  if (kind === "CountedRun") return jobUid !== undefined && !(await hasRun(projections, { cluster, jobUid }));
  if (kind === "Run") return jobUid !== undefined && isErasedRun(projections, erasure, { cluster, jobUid });
  if (kind !== "CronJob" || erasure.scope.level === "job") return false;
  return (await meta.read("cronjob", cronJobKey(cluster, uid))) === undefined;
}

/** A run that is gone, or one in the namespace of an erased Job: a message about it may name the Job. */
async function isErasedRun(projections: SubjectStores["projections"], erasure: Erasure, key: JobKey): Promise<boolean> {
  for (const projection of PROJECTIONS) {
    const stored = await projections.runs(projection).read(key);
    const { namespace = "" } = stored?.row ?? {};
    if (stored !== undefined) return erasure.isErasedNamespace(key.cluster, namespace) || erasure.isIn(namespace);
  }
  return true;
}

async function hasRun(projections: SubjectStores["projections"], key: JobKey): Promise<boolean> {
  for (const projection of PROJECTIONS) {
    if ((await projections.runs(projection).read(key)) !== undefined) return true;
  }
  return false;
}

/** `cronjob/UID` is a CronJob, `run/UID` a run, `gap/ID` a gap. */
function kindOfMetric(id: string): Pick<Subject, "kind" | "uid"> {
  const [prefix = "", uid] = id.split("/");
  if (uid === undefined) return { kind: "Job", uid: id };
  return { kind: METRIC_KINDS[prefix] ?? "CronJob", uid };
}

const METRIC_KINDS: Readonly<Record<string, string>> = { gap: "Gap", run: "CountedRun" };

/** The labels that name an object in an erased namespace. */
const NAMES = ["owner", "cronjob"] as const;

/** Under which labels the sums of an erased namespace stay; `undefined` for other series. */
function erasedLabels(labels: Labels, erasure: Erasure): Labels | undefined {
  const { cluster = "", namespace } = labels;
  if (namespace === undefined || namespace.startsWith(ERASED)) return undefined;
  if (!erasure.isErasedNamespace(cluster, namespace)) return undefined;
  const named = NAMES.filter((name) => labels[name] !== undefined && labels[name] !== "<none>");
  return {
    ...labels,
    namespace: `${ERASED}${erasure.scope.id}`,
    ...Object.fromEntries(named.map((name) => [name, ERASED])),
  };
}

const ERASED = "erased:";
