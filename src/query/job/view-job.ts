import type { ClusterContext } from "../../job/model/cluster-record.ts";
import { type CountingRules, countingRulesOf } from "../../job/accounting/counting-rules.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { type JobView, type PodPosition, readJob } from "../../projection/job-state/read-job.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { findJob, type Generation, type JobReference, type UnknownJob } from "./find-job.ts";
import type { QueryPorts } from "../ports.ts";
import type { Scope } from "../access/scope.ts";
import { loadContext } from "./context.ts";

/** A Job with what an answer about it needs. */
export interface ViewedJob {
  readonly outcome: "viewed";
  readonly cluster: ClusterName;
  readonly view: JobView;
  /** What is around the Job, and around those of its Pods that were given out. */
  readonly clusterContext: ClusterContext;
  /** The Pods in order of creation, strictly after `after` where given. Read page by page: a Job of a million Pods needs no more memory than one page. */
  pods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The same for who will look at most of the Pods: what is around them is read in fewer requests. */
  allPods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** Reads what is around these Pods, where they come from elsewhere. */
  meet(pods: Iterable<PodRecord>): Promise<void>;
  readonly generations: readonly Generation[];
}

/** Finds a Job; where there is none, what may have been meant. */
export async function viewJob(ports: QueryPorts, scope: Scope, wanted: JobReference): Promise<ViewedJob | UnknownJob> {
  const found = await findJob(ports, scope, wanted);
  if (found.outcome !== "found") return found;
  const { generations } = found;
  const viewed = await viewFound(ports, { cluster: wanted.cluster, jobUid: found.jobUid }, generations);
  // Its row was there a moment ago: only erasing it can have come between.
  return viewed ?? { outcome: "unknownJob", near: [], elsewhere: [], generations };
}

/** The Job of a row that was found, and that the reader may see. Nothing where it has been erased since. */
export async function viewFound(
  ports: QueryPorts,
  { cluster, jobUid }: JobKey,
  generations: readonly Generation[],
): Promise<ViewedJob | undefined> {
  const view = await readJob(ports.jobs, { cluster, jobUid });
  if (view === undefined) return undefined;
  const around = await loadContext(ports.meta, cluster, view.job);
  const pods = (after?: PodPosition): AsyncIterable<PodRecord> =>
    inPages(view.ownPods(after), (page) => around.meet(page));
  const meetHints = async (): Promise<void> => {
    if (view.podCount > READ_ONE_BY_ONE) await around.meetAllHints();
  };
  return {
    outcome: "viewed",
    cluster,
    view,
    clusterContext: around.clusterContext,
    pods,
    allPods: async function* (after) {
      await meetHints();
      yield* pods(after);
    },
    meet: async (others) => {
      await meetHints();
      await around.meet([...others]);
    },
    generations,
  };
}

/** Up to here each Pod's hints are read by key. */
const READ_ONE_BY_ONE = 64;
/** As many as a page of Pods holds (pod-pages.ts). */
const PAGE = 128;

/** Gives the Pods out once `meet` was told of them, a page at a time. */
async function* inPages(
  pods: AsyncIterable<PodRecord>,
  meet: (pods: readonly PodRecord[]) => Promise<void>,
): AsyncGenerator<PodRecord> {
  let page: PodRecord[] = [];
  for await (const pod of pods) {
    page.push(pod);
    if (page.length < PAGE) continue;
    await meet(page);
    yield* page;
    page = [];
  }
  await meet(page);
  yield* page;
}

/** How the Job's Pods are counted, all evidence considered. */
export function rulesOf({ view, clusterContext: { serverVersion } }: ViewedJob): CountingRules {
  const { job, podTracked } = view;
  return countingRulesOf(job, { podTracked, ...(serverVersion !== undefined && { serverVersion }) });
}

/** The Job with all of its Pods in memory: for questions that need them side by side. */
export async function recordOf(viewed: ViewedJob): Promise<JobRecord> {
  const pods = new Map<PodRecord["uid"], PodRecord>();
  for await (const pod of viewed.allPods()) pods.set(pod.uid, pod);
  return { job: viewed.view.job, pods };
}
