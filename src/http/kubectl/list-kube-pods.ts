import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import { batchGet } from "../../query/job/batch-get.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import { listFoundPods, listJobPods } from "../../query/job/job-pods.ts";
import { type LabelSelector, matchesLabels } from "../../query/list/label-selector.ts";
import { type JobList, listJobs, MAX_LIST_LIMIT } from "../../query/list/list-jobs.ts";
import { rememberedMeta } from "../../query/clusters/remembered-meta.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { matchesKubeFields } from "./kube-fields.ts";
import { podLabels, podObject, type PodRow } from "./kube-pods.ts";
import type { RowsPage } from "./listing.ts";

/** How many Jobs with the same name are searched for a Pod. */
const JOBS_PAGE = 50;
const NOT_A_TOKEN = "Invalid continue token. List again from the beginning.";

/** Where a list of Pods continues: after which Job, and after which Pod of the next Job. */
interface PodsPosition {
  readonly jobs?: string | undefined;
  readonly pods?: string | undefined;
}

/** The Pods of Jobs, newest Job first. A page may have fewer items than the limit and still have a token. */
export async function listKubePods(
  context: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<PodRow>> {
  const start = readToken(options.continueToken);
  if (start === undefined) return { outcome: "badToken", message: NOT_A_TOKEN };
  const page = await jobsWithPods(context, { path, options, cursor: start.jobs });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  const pods: PodRow[] = [];
  const within = { ...context, ports: { ...context.ports, meta: rememberedMeta(context.ports.meta) } };
  for (let index = 0; index < page.items.length;) {
    const room = options.limit - pods.length;
    const group = readTogether(page.items.slice(index), room);
    const from = index === 0 ? start.pods : undefined;
    const taken = await Promise.all(
      group.map((job, offset) => takePods(within, job, { options, room, from: offset === 0 ? from : undefined })),
    );
    for (const { rows, more } of taken) {
      pods.push(...rows);
      const next = positionAfter(page, { index, start, more, isFull: pods.length >= options.limit });
      if (next !== undefined) return { outcome: "listed", rows: pods, continueToken: writeToken(next) };
      index += 1;
    }
  }
  const { nextCursor } = page;
  return { outcome: "listed", rows: pods, ...(nextCursor && { continueToken: writeToken({ jobs: nextCursor }) }) };
}

interface ReadJob {
  readonly index: number;
  readonly start: PodsPosition;
  /** Where to continue within the Job. */
  readonly more: string | undefined;
  readonly isFull: boolean;
}

/** Where the next page begins: within this Job, or after it if the page is full. `undefined` if the page continues. */
function positionAfter(
  { items, nextCursor, cursorAfter }: Extract<JobList, { outcome: "listed" }>,
  { index, start, more, isFull }: ReadJob,
): PodsPosition | undefined {
  if (more !== undefined) return { jobs: index === 0 ? start.jobs : cursorAfter(index - 1), pods: more };
  const othersFollow = index + 1 < items.length || nextCursor !== undefined;
  return isFull && othersFollow ? { jobs: cursorAfter(index) } : undefined;
}

/**
 * The Jobs whose Pods can match the selector: the one that the selector names by uid (`kubectl logs job/NAME` sends
 * this), or a page of the namespace's Jobs.
 */
async function jobsWithPods(
  { ports, scope, cluster }: KubeContext,
  { path, options, cursor }: JobsPage,
): Promise<JobList> {
  const { labels, pairs, limit } = options;
  const namespace = path.namespace ?? pairs.get("metadata.namespace");
  const uid = onlyValue(labels, ["controller-uid", "batch.kubernetes.io/controller-uid"]);
  if (uid !== undefined) {
    const { items } = await batchGet(ports, scope, { cluster, wanted: [{ by: "uid", uid }] });
    const jobs = items.filter((job) => namespace === undefined || job.namespace === namespace);
    return { outcome: "listed", items: jobs, cursorAfter: () => "", rowsRead: items.length };
  }
  const filter = { cluster, namespace, name: onlyValue(labels, ["job-name", "batch.kubernetes.io/job-name"]) };
  // The page has as many Jobs as Pods were requested: kubectl sends only five requests per second, so small pages would
  // be slow.
  return listJobs(ports, scope, { filter, limit: Math.min(limit, MAX_LIST_LIMIT), cursor });
}

interface JobsPage {
  readonly path: KubePath;
  readonly options: KubeListOptions;
  readonly cursor: string | undefined;
}

/** How many Jobs are read at the same time. */
const PARALLEL = 16;

/** The next Jobs whose Pods all fit on the page, or the next one alone. */
function readTogether(jobs: readonly JobAnswer[], room: number): readonly JobAnswer[] {
  let pods = 0;
  const fit = jobs.slice(0, PARALLEL).findIndex((job) => {
    pods += job.pods.seen;
    return pods > room;
  });
  return jobs.slice(0, fit < 0 ? PARALLEL : Math.max(1, fit));
}

interface TakenPods {
  readonly rows: readonly PodRow[];
  /** Where to continue within the Job. */
  readonly more?: string;
}

interface Take {
  readonly options: KubeListOptions;
  readonly room: number;
  readonly from: string | undefined;
}

/** The matching Pods of a Job, up to the room on the page. */
async function takePods({ ports, cluster }: KubeContext, job: JobAnswer, take: Take): Promise<TakenPods> {
  const { options, room } = take;
  const rows: PodRow[] = [];
  const jobUid = decodeJobUid(job.uid);
  if (jobUid === undefined) return { rows };
  let cursor = take.from;
  do {
    const page = await listFoundPods(ports, { cluster, jobUid }, { limit: Math.max(1, room - rows.length), cursor });
    if (page?.outcome !== "listed") return { rows };
    rows.push(...page.items.filter((attempt) => isWanted(job, attempt, options)).map((attempt) => ({ job, attempt })));
    cursor = page.nextCursor;
    if (cursor !== undefined && rows.length >= room) return { rows, more: cursor };
  } while (cursor !== undefined);
  return { rows };
}

export function isWanted(
  job: JobAnswer,
  attempt: Attempt,
  { labels, others }: Pick<KubeListOptions, "labels" | "others">,
): boolean {
  return (
    matchesLabels(labels, podLabels(job, attempt)) &&
    (others.length === 0 || matchesKubeFields(others, podObject(job, attempt)))
  );
}

/** The single value that the selector requires of a label, under either of its keys. */
function onlyValue(labels: LabelSelector, keys: readonly string[]): string | undefined {
  for (const requirement of labels) {
    const isOne = requirement.operator === "in" && requirement.values.length === 1;
    if (isOne && keys.includes(requirement.key)) return requirement.values[0];
  }
  return undefined;
}

/**
 * Finds a Pod by name. The Job controller builds it from the Job's name, the index if there is one, and five
 * characters.
 */
export async function findKubePod(context: KubeContext, namespace: string, name: string): Promise<PodRow | undefined> {
  const { ports, scope, cluster } = context;
  const stem = name.replace(/-[a-z0-9]{5}$/, "");
  for (const jobName of new Set([stem, stem.replace(/-\d+$/, "")])) {
    const filter = { cluster, namespace, name: jobName };
    const page = await listJobs(ports, scope, { filter, limit: JOBS_PAGE });
    const found = page.outcome === "listed" ? await findAmong(context, page.items, name) : undefined;
    if (found !== undefined) return found;
  }
  return name.length === LONGEST_NAME ? findPodOfLongName(context, namespace, name) : undefined;
}

/**
 * A Pod's name has at most 63 characters, five of them generated. The Job controller truncates a longer Job name
 * (k8s.io/apiserver/pkg/storage/names).
 */
const LONGEST_NAME = 63;
const GENERATED = 5;
/** How many Jobs of the namespace are searched for one whose name begins like the Pod's. */
const MAX_JOBS_READ = 5_000;

async function findPodOfLongName(context: KubeContext, namespace: string, name: string): Promise<PodRow | undefined> {
  const { ports, scope, cluster } = context;
  const beginning = name.slice(0, LONGEST_NAME - GENERATED).replace(/-(\d+-)?$/, "");
  let cursor: string | undefined;
  let read = 0;
  do {
    const page = await listJobs(ports, scope, { filter: { cluster, namespace }, limit: 500, cursor });
    if (page.outcome === "badCursor") return undefined;
    const jobs = page.items.filter((job) => job.name.startsWith(beginning));
    const found = await findAmong(context, jobs, name);
    if (found !== undefined) return found;
    read += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && read < MAX_JOBS_READ);
  return undefined;
}

async function findAmong(context: KubeContext, jobs: readonly JobAnswer[], name: string): Promise<PodRow | undefined> {
  for (const job of jobs) {
    const attempt = await findAttempt(context, job, name);
    if (attempt !== undefined) return { job, attempt };
  }
  return undefined;
}

async function findAttempt(
  { ports, scope, cluster }: KubeContext,
  job: JobAnswer,
  name: string,
): Promise<Attempt | undefined> {
  const wanted = { cluster, namespace: job.namespace, name: job.name, uid: job.uid };
  let cursor: string | undefined;
  do {
    const page = await listJobPods(ports, { scope, wanted }, { limit: 1_000, cursor });
    if (page.outcome !== "listed") return undefined;
    const found = page.items.find((attempt) => attempt.name === name);
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

function writeToken({ jobs, pods }: PodsPosition): string {
  return Buffer.from(JSON.stringify([jobs ?? "", pods ?? ""])).toString("base64url");
}

function readToken(token: string | undefined): PodsPosition | undefined {
  if (token === undefined) return {};
  try {
    const fields: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
    const parts: readonly unknown[] = Array.isArray(fields) ? fields : [];
    const [jobs, pods] = parts;
    if (typeof jobs !== "string" || typeof pods !== "string") return undefined;
    return { jobs: jobs || undefined, pods: pods || undefined };
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
