import type { Attempt, JobAnswer } from "../../job/answer.ts";
import { listJobPods } from "../../query/job-pods.ts";
import { type LabelSelector, matchesLabels } from "../../query/label-selector.ts";
import { listJobs } from "../../query/list-jobs.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { podLabels, podPhase } from "./pod-object.ts";
import type { PodRow } from "./table.ts";

export type PodsPage =
  | { readonly outcome: "listed"; readonly pods: readonly PodRow[]; readonly continueToken?: string }
  | { readonly outcome: "badToken"; readonly message: string };

/** Jobs whose Pods one page reads at most. */
const JOBS_PAGE = 50;
const NOT_A_TOKEN = "The continue token is not one that was given out here: list again from the beginning.";

/** Where a list of Pods goes on: the Job before, and how far it got in the next one's Pods. */
interface PodsPlace {
  readonly jobs?: string | undefined;
  readonly pods?: string | undefined;
}

/** The Pods of Jobs, Job by Job, newest Job first. A page may be short, and still have a token. */
export async function listKubePods(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<PodsPage> {
  const start = readToken(options.continueToken);
  if (start === undefined) return { outcome: "badToken", message: NOT_A_TOKEN };
  const { ports, scope, cluster } = context;
  const filter = {
    cluster,
    namespace: path.namespace ?? options.pairs.get("metadata.namespace"),
    name: jobNameIn(options.labels),
  };
  const page = await listJobs(ports, scope, { filter, limit: JOBS_PAGE, cursor: start.jobs });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  const pods: PodRow[] = [];
  for (const [index, job] of page.items.entries()) {
    const before = index === 0 ? start.jobs : page.cursorAfter(index - 1);
    const more = await takePods(context, job, index === 0 ? start.pods : undefined, options, pods);
    if (more !== undefined) return { outcome: "listed", pods, continueToken: writeToken({ jobs: before, pods: more }) };
    if (pods.length >= options.limit && (index + 1 < page.items.length || page.nextCursor !== undefined)) {
      return { outcome: "listed", pods, continueToken: writeToken({ jobs: page.cursorAfter(index) }) };
    }
  }
  const { nextCursor } = page;
  return { outcome: "listed", pods, ...(nextCursor && { continueToken: writeToken({ jobs: nextCursor }) }) };
}

/** Adds a Job's Pods that are asked for; where to go on within the Job, once there are enough. */
async function takePods(
  { ports, scope, cluster }: KubeContext,
  job: JobAnswer,
  from: string | undefined,
  options: KubeListOptions,
  pods: PodRow[],
): Promise<string | undefined> {
  let cursor = from;
  do {
    const limit = Math.max(1, options.limit - pods.length);
    const wanted = { cluster, namespace: job.namespace, name: job.name, uid: job.uid };
    const page = await listJobPods(ports, scope, wanted, { limit, cursor });
    if (page.outcome !== "listed") return undefined;
    pods.push(...page.items.filter((attempt) => isWanted(job, attempt, options)).map((attempt) => ({ job, attempt })));
    cursor = page.nextCursor;
    if (cursor !== undefined && pods.length >= options.limit) return cursor;
  } while (cursor !== undefined);
  return undefined;
}

export function isWanted(
  job: JobAnswer,
  attempt: Attempt,
  { labels, pairs }: Pick<KubeListOptions, "labels" | "pairs">,
): boolean {
  const [name, node, phase] = ["metadata.name", "spec.nodeName", "status.phase"].map((field) => pairs.get(field));
  return (
    (name === undefined || name === attempt.name) &&
    (node === undefined || node === attempt.node) &&
    (phase === undefined || phase === podPhase(attempt)) &&
    matchesLabels(labels, podLabels(job, attempt))
  );
}

/** The one Job that the selector asks for, by the labels the Job controller gives its Pods. */
function jobNameIn(labels: LabelSelector): string | undefined {
  for (const requirement of labels) {
    const isName = requirement.key === "job-name" || requirement.key === "batch.kubernetes.io/job-name";
    if (isName && requirement.operator === "in" && requirement.values.length === 1) return requirement.values[0];
  }
  return undefined;
}

/** A Pod by its name: the Job controller makes it of the Job's name, the index where there is one, and five characters. */
export async function findKubePod(context: KubeContext, namespace: string, name: string): Promise<PodRow | undefined> {
  const { ports, scope, cluster } = context;
  const stem = name.replace(/-[a-z0-9]{5}$/, "");
  for (const jobName of new Set([stem, stem.replace(/-\d+$/, "")])) {
    const filter = { cluster, namespace, name: jobName };
    const page = await listJobs(ports, scope, { filter, limit: JOBS_PAGE });
    for (const job of page.outcome === "listed" ? page.items : []) {
      const attempt = await findAttempt(context, job, name);
      if (attempt !== undefined) return { job, attempt };
    }
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
    const page = await listJobPods(ports, scope, wanted, { limit: 1_000, cursor });
    if (page.outcome !== "listed") return undefined;
    const found = page.items.find((attempt) => attempt.name === name);
    if (found !== undefined) return found;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

function writeToken({ jobs, pods }: PodsPlace): string {
  return Buffer.from(JSON.stringify([jobs ?? "", pods ?? ""])).toString("base64url");
}

function readToken(token: string | undefined): PodsPlace | undefined {
  if (token === undefined) return {};
  try {
    const fields: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
    const [jobs, pods] = Array.isArray(fields) ? (fields as readonly unknown[]) : [];
    if (typeof jobs !== "string" || typeof pods !== "string") return undefined;
    return { jobs: jobs || undefined, pods: pods || undefined };
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
