import { type CountingRules, countingRulesOf } from "../../job/accounting/counting-rules.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { type JobView, type PodPosition, readJob, viewJob } from "../../projection/job-state/read-job.ts";
import type { Log } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { rememberedMeta } from "../clusters/remembered-meta.ts";
import type { QueryPorts } from "../ports.ts";
import { loadContext } from "./context.ts";
import { findJob, type Generation, type JobReference, type NamedJob, type UnknownJob } from "./find-job.ts";
import { archivedLog, viewArchived } from "./load-archived.ts";
import { withArchivedFacts } from "./with-archived-facts.ts";

/** A Job and the data that an answer about it needs. Each item is read once. */
export interface LoadedJob {
  readonly outcome: "loaded";
  readonly cluster: ClusterName;
  readonly view: JobView;
  /** The context of the Job, and of those Pods that were read so far. */
  readonly clusterContext: ClusterContext;
  /** The Pods in order of creation, after `after` if given. They are read page by page, with their context. */
  pods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The same for a caller that reads most of the Pods: their context takes fewer requests. */
  allPods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** Reads the context of Pods that come from elsewhere. */
  loadContextOf(pods: Iterable<PodRecord>): Promise<void>;
  readonly generations: readonly Generation[];
  /** Has the segments of the Job. */
  readonly log: Pick<Log, "read">;
  /** The state of the Job has expired, and was read from the archive. */
  readonly source?: "archive";
}

/**
 * Finds and loads a Job; from the archive, if its state has expired. If it is unknown, the result suggests similar
 * names.
 */
export async function loadJob(ports: QueryPorts, scope: Scope, wanted: JobReference): Promise<LoadedJob | UnknownJob> {
  const meta = rememberedMeta(ports.meta);
  const found = await findJob({ ...ports, meta }, scope, wanted);
  if (found.outcome === "found") return loadFound({ ...ports, meta }, wanted.cluster, found);
  const archived = found.outcome === "unknownJob" ? await loadArchived({ ...ports, meta }, scope, wanted) : undefined;
  return archived ?? found;
}

async function loadArchived(ports: QueryPorts, scope: Scope, wanted: JobReference): Promise<LoadedJob | undefined> {
  const { cluster, namespace } = wanted;
  const archived = mayRead(scope, cluster, namespace) ? await ports.archived?.find(wanted) : undefined;
  if (archived === undefined) return undefined;
  const view = viewArchived(cluster, archived);
  const key = { cluster, jobUid: archived.jobUid };
  const generations = archived.generations.length > 1 ? archived.generations : [];
  const stores = { meta: withArchivedFacts(ports.meta, { cluster, ...archived }), log: archivedLog(archived) };
  return { ...(await loadView(stores, { key, view, generations })), source: "archive" };
}

/** Loads a Job that was found. */
export async function loadFound(ports: QueryPorts, cluster: ClusterName, found: NamedJob): Promise<LoadedJob> {
  const { jobUid, stored, generations } = found;
  const key = { cluster, jobUid };
  return loadView(withExpired(ports), { key, view: viewJob(ports.jobs, key, stored), generations });
}

/** The log, and the archive for segments that have left it. */
function withExpired({ meta, log, archived }: QueryPorts): ViewStores {
  if (archived === undefined) return { meta, log };
  return { meta, log: { read: async (key) => (await log.read(key)) ?? archived.readSegment(key) } };
}

/** Loads a Job from a list that the reader may see. `undefined` if it has been erased since. */
export async function loadListedJob(ports: QueryPorts, key: JobKey): Promise<LoadedJob | undefined> {
  const view = await readJob(ports.jobs, key);
  return view && loadView(withExpired(ports), { key, view, generations: [] });
}

interface ViewStores {
  readonly meta: MetaStore;
  readonly log: Pick<Log, "read">;
}

interface FoundView extends Pick<LoadedJob, "view" | "generations"> {
  readonly key: JobKey;
}

async function loadView({ meta, log }: ViewStores, { key, view, generations }: FoundView): Promise<LoadedJob> {
  const { cluster } = key;
  const context = await loadContext(meta, cluster, view.job);
  const pods = (after?: PodPosition): AsyncIterable<PodRecord> =>
    inPages(view.ownPods(after), (page) => context.loadPods(page));
  const loadHints = async (): Promise<void> => {
    if (view.podCount > READ_ONE_BY_ONE) await context.loadAllHints();
  };
  return {
    outcome: "loaded",
    cluster,
    view,
    clusterContext: context.clusterContext,
    pods,
    allPods: async function* (after) {
      await loadHints();
      yield* pods(after);
    },
    loadContextOf: async (others) => {
      await loadHints();
      await context.loadPods([...others]);
    },
    generations,
    log,
  };
}

/** Up to this number of Pods, hints are read one by one. */
const READ_ONE_BY_ONE = 64;
/** The size of a page of Pods (pod-pages.ts). */
const PAGE = 128;

/** Yields the Pods after `load` has read the context of their page. */
async function* inPages(
  pods: AsyncIterable<PodRecord>,
  load: (pods: readonly PodRecord[]) => Promise<void>,
): AsyncGenerator<PodRecord> {
  let page: PodRecord[] = [];
  for await (const pod of pods) {
    page.push(pod);
    if (page.length < PAGE) continue;
    await load(page);
    yield* page;
    page = [];
  }
  await load(page);
  yield* page;
}

/** How the Job's Pods are counted, with all evidence. */
export function rulesOf({ view, clusterContext: { serverVersion } }: LoadedJob): CountingRules {
  const { job, podTracked } = view;
  return countingRulesOf(job, { podTracked, ...(serverVersion !== undefined && { serverVersion }) });
}

/** The Job with all of its Pods in memory, for derivations that need them together. */
export async function recordOf(loaded: LoadedJob): Promise<JobRecord> {
  const pods = new Map<PodRecord["uid"], PodRecord>();
  for await (const pod of loaded.allPods()) pods.set(pod.uid, pod);
  return { job: loaded.view.job, pods };
}
