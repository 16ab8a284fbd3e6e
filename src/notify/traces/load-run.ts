import pLimit from "p-limit";
import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import { type ClusterName, decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { getJobNow } from "../../query/job/get-job.ts";
import { listFoundPods } from "../../query/job/job-pods.ts";
import type { QueryPorts } from "../../query/ports.ts";
import { getRun } from "../../query/runs/get-run.ts";
import { listRunJobs } from "../../query/runs/run-jobs.ts";
import type { TracedJob, TracedRun } from "./run-trace.ts";

/** The run or Job that a message is about. */
export interface RunPlace {
  readonly cluster: ClusterName;
  /** "Job", or that of the run's object. The Jobs of Volcano have the kind "Job", too. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * The most spans of a trace. Tempo stores 5 MB of a trace by default, and a span has 300 to 400 bytes there: a trace of
 * so many spans fits twice, because it may be sent again.
 */
const MOST_SPANS = 5_000;
/** Among them, those that a trace shows are chosen. */
const MOST_PODS_READ = 10_000;
const PAGE = 1_000;
/** Jobs whose Pods are read at the same time. */
const AT_ONCE = 16;

export interface LoadOptions {
  readonly now: Instant;
  /** The most spans of the trace. @default 5000 */
  readonly most?: number;
  /** The most Pods that are read, but for the rest of a page. @default 10000 */
  readonly mostPods?: number;
}

/** The current answers that the trace of a run is made of; `undefined` if the run is no longer known. */
export async function loadRun(
  ports: QueryPorts,
  place: RunPlace,
  { now, most = MOST_SPANS, mostPods = MOST_PODS_READ }: LoadOptions,
): Promise<TracedRun | undefined> {
  const job = place.kind === "Job" ? await jobAt(ports, place, now) : undefined;
  if (job !== undefined) return withPods(ports, { jobs: [job], room: most - 1, mostPods });
  const { runs } = ports;
  if (runs === undefined) return undefined;
  const wanted = { scope: "everything", wanted: place } as const;
  const found = await getRun({ ...ports, runs }, wanted, now);
  if (found.outcome !== "answered") return undefined;
  const { answer: run } = found;
  const room = most - 1 - run.attempts.length;
  const jobs: JobAnswer[] = [];
  let cursor: string | undefined;
  // A run may have had far more Jobs than a trace shows: one for each restart.
  const limit = Math.min(PAGE, Math.max(1, room));
  do {
    const page = await listRunJobs({ ...ports, runs }, wanted, { limit, cursor, now });
    if (page.outcome !== "listed") break;
    jobs.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && jobs.length < room);
  return { run, ...(await withPods(ports, { jobs, room, mostPods, total: run.jobs.total })) };
}

async function jobAt(ports: QueryPorts, place: RunPlace, now: Instant): Promise<JobAnswer | undefined> {
  const found = await getJobNow(ports, { scope: "everything", wanted: place }, now);
  return found.outcome === "answered" ? found.answer : undefined;
}

interface Chosen {
  readonly jobs: readonly JobAnswer[];
  /** How many spans the Jobs and their Pods may have. */
  readonly room: number;
  readonly mostPods: number;
  /** How many Jobs the run has. @default those that are given */
  readonly total?: number;
}

/** Adds Pods while there is room: those of Jobs that did not complete come first. */
async function withPods(
  ports: QueryPorts,
  { jobs, room: most, mostPods, total = jobs.length }: Chosen,
): Promise<Pick<TracedRun, "jobs" | "omitted">> {
  const shown = jobs.slice(0, Math.max(1, most));
  let room = most - shown.length;
  let unread = mostPods;
  const podsOf = new Map<string, readonly Attempt[]>();
  const inOrder = [...shown].sort((a, b) => Number(isComplete(a)) - Number(isComplete(b)));
  while (inOrder.length > 0 && room > 0 && unread > 0) {
    const limit = unread;
    const some = takeBatch(inOrder, limit);
    const read = await pLimit(AT_ONCE).map(some, async (job) => ({ job, pods: await podsUpTo(ports, job, limit) }));
    for (const { job, pods } of read) {
      const chosen = choose(pods, room);
      podsOf.set(job.uid, chosen);
      room -= spansOf(chosen);
      unread -= pods.length;
    }
  }
  const traced = shown.map((job): TracedJob => ({ job, pods: podsOf.get(job.uid) ?? [] }));
  const pods = traced.reduce((sum, one) => sum + Math.max(0, one.job.pods.seen - one.pods.length), 0);
  return { jobs: traced, omitted: { jobs: Math.max(0, total - shown.length), pods } };
}

/** Takes the next Jobs: so many that they have no more Pods than may be read, but at least one. */
function takeBatch(jobs: JobAnswer[], mostPods: number): readonly JobAnswer[] {
  let [taken, pods] = [0, 0];
  for (const job of jobs.slice(0, AT_ONCE)) {
    pods += job.pods.seen;
    if (taken > 0 && pods > mostPods) break;
    taken += 1;
  }
  return jobs.splice(0, taken);
}

function isComplete({ verdict }: JobAnswer): boolean {
  return verdict.state === "Complete";
}

async function podsUpTo(ports: QueryPorts, job: JobAnswer, most: number): Promise<readonly Attempt[]> {
  const [cluster, jobUid] = [decodeClusterName(job.cluster), decodeJobUid(job.uid)];
  const key = cluster && jobUid && { cluster, jobUid };
  const pods: Attempt[] = [];
  let cursor: string | undefined;
  do {
    const page = key && (await listFoundPods(ports, key, { limit: PAGE, cursor }));
    if (page?.outcome !== "listed") break;
    pods.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && pods.length < most);
  return pods;
}

/** As many Pods as there is room for, by creation: those that did not succeed are kept first. */
function choose(pods: readonly Attempt[], room: number): readonly Attempt[] {
  const kept = new Set<Attempt>();
  let left = room;
  for (const pod of [...pods].sort((a, b) => Number(hasSucceeded(a)) - Number(hasSucceeded(b)))) {
    left -= spansOf([pod]);
    if (left < 0) break;
    kept.add(pod);
  }
  return pods.filter((pod) => kept.has(pod));
}

function hasSucceeded({ outcome }: Attempt): boolean {
  return outcome === "Succeeded";
}

/** One for each Pod, and one for each start of a container. */
function spansOf(pods: readonly Attempt[]): number {
  return pods.reduce((sum, { containers }) => sum + 1 + containers.length, 0);
}
