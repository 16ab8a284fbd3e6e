import { type CountingRules, countingRulesOf } from "../../job/accounting/counting-rules.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { ClusterName, PodUid } from "../../job/model/ids.ts";
import { type JobRecord, JobFold, emptyJob } from "../../job/model/job-record.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { mayBeInProgress } from "../../explain/expectation/job-expectation.ts";
import type { PastRuns } from "../../parents/series/past-run.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { type JobView, type PodPosition, readJob, viewJob, viewRecord } from "../../projection/job-state/read-job.ts";
import type { Log, LogItem } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { readPastRuns } from "../../projection/series/series-runs.ts";
import { rememberedMeta } from "../clusters/remembered-meta.ts";
import type { QueryPorts } from "../ports.ts";
import { loadContext } from "./context.ts";
import { findJob, type Generation, type JobReference, type NamedJob, type UnknownJob } from "./find-job.ts";
import { withArchivedFacts } from "./with-archived-facts.ts";
import { isJobFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { ArchivedJob } from "../../ports/archived-jobs.ts";
import type { SegmentName } from "../../projection/job-state/log-keys.ts";
import { decodeSegment } from "../../segment/decode-segment.ts";
import { type DerivedJob, deriveRecord, JobDerivation } from "../../explain/derived-job.ts";

/** A Job and the data that an answer about it needs. Each item is read once. */
export interface LoadedJob {
  readonly outcome: "loaded";
  readonly cluster: ClusterName;
  readonly view: JobView;
  /** The context of the Job, and of those Pods that were read so far. */
  readonly clusterContext: ClusterContext;
  /** Reads the past runs of the Job's series, if it has one. */
  pastRuns(): Promise<PastRuns | undefined>;
  /** The Pods in order of creation, after `after` if given. They are read page by page, with their context. */
  pods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The same for a caller that reads most of the Pods: their context takes fewer requests. */
  allPods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** One of the Pods, with its context. Pages are read until it is found, without the context of other Pods. */
  pod(podUid: PodUid): Promise<PodRecord | undefined>;
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
    pastRuns: () => readPastRuns(meta, cluster, view.job.created),
    pods,
    allPods: async function* (after) {
      await loadHints();
      yield* pods(after);
    },
    pod: async (podUid) => {
      for await (const pod of view.ownPods()) {
        if (pod.uid !== podUid) continue;
        await context.loadPods([pod]);
        return pod;
      }
      return undefined;
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
  return countingRulesOf(job, { podTracked, serverVersion });
}

/** The Job with all of its Pods in memory, for derivations that need them together. */
export async function recordOf(loaded: LoadedJob): Promise<JobRecord> {
  const pods = new Map<PodRecord["uid"], PodRecord>();
  for await (const pod of loaded.allPods()) pods.set(pod.uid, pod);
  return { job: loaded.view.job, pods };
}

/** The last state of an expired Job: the join of its archived facts. */
function viewArchived(cluster: ClusterName, { jobUid, items }: ArchivedJob): JobView {
  const fold = new JobFold();
  const segments: SegmentName[] = [];
  let seenAt: Instant = 0;
  for (const { bytes } of items) {
    const decoded = decodeSegment(bytes);
    if (decoded.outcome === "rejected") continue;
    const { sealedAt, session, sequence, facts } = decoded.segment;
    segments.push({ sealedAt, session, sequence });
    for (const fact of facts) {
      if (!isJobFact(fact) || fact.jobUid !== jobUid) continue;
      fold.add(fact);
      seenAt = Math.max(seenAt, fact.at);
    }
  }
  const record: JobRecord = fold.records.get(jobUid) ?? emptyJob(jobUid);
  return viewRecord(cluster, { record, segments, seenAt });
}

/** The segments of an archived Job, as the log had them. */
function archivedLog({ items }: ArchivedJob): Pick<Log, "read"> {
  const bySk = new Map<string, LogItem>(items.map((item) => [item.key.sk, item]));
  return { read: async ({ sk }) => bySk.get(sk) };
}

export interface DeriveOptions {
  readonly now: Instant;
  /**
   * Milliseconds without a change after which a running Pod is reported as possibly phantom-running; unset means never.
   */
  readonly phantomAfter?: number | undefined;
  /** Called once for every Pod. */
  readonly visit?: (pod: PodRecord) => void;
}

/** Derives a Job whose Pods are read page by page. The result is the same as from all Pods at once. */
export async function deriveLoaded(loaded: LoadedJob, options: DeriveOptions): Promise<DerivedJob> {
  const { view, clusterContext } = loaded;
  const { job } = view;
  if (job.created === undefined) return deriveUnseen(loaded, options);
  const rules = rulesOf(loaded);
  const tally = await view.tally(rules);
  const { phantomAfter, visit } = options;
  const times = derivedTimes(loaded, options.now);
  const pastRuns = mayBeInProgress(job) ? await loaded.pastRuns() : undefined;
  const derivation = new JobDerivation({ job, rules, tally, clusterContext, ...times, phantomAfter, pastRuns });
  for await (const pod of loaded.allPods()) {
    derivation.visit(pod);
    visit?.(pod);
  }
  for (let pass = derivation.nextPass(); pass !== undefined; pass = derivation.nextPass()) {
    for await (const pod of loaded.pods()) pass(pod);
  }
  return derivation.derived();
}

/** A Job that was not observed itself is derived from all of its Pods together. */
async function deriveUnseen(loaded: LoadedJob, { now, phantomAfter, visit }: DeriveOptions): Promise<DerivedJob> {
  const record = await recordOf(loaded);
  if (visit !== undefined) for (const pod of record.pods.values()) visit(pod);
  return deriveRecord(record, { clusterContext: loaded.clusterContext, ...derivedTimes(loaded, now), phantomAfter });
}

/** A Job is derived as of the last data from its cluster: its own last fact, or a later heartbeat. */
export function derivedTimes(
  { view, clusterContext }: LoadedJob,
  queriedAt: Instant,
): { now: Instant; queriedAt: Instant } {
  const heardAt = Math.max(view.seenAt, clusterContext.heardAt ?? 0);
  return { now: Math.min(heardAt, queriedAt), queriedAt };
}
