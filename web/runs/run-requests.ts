import type { Attempt, JobAnswer } from "../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import type { RunWhyAnswer } from "../../src/query/runs/explain-run.ts";
import type { RunEvent } from "../../src/query/runs/run-history.ts";
import type { ApiResult } from "../api/api-result.ts";
import type { Load } from "../api/live.ts";
import { loadPages, type ReadPages, readPages } from "../api/read-pages.ts";
import { request } from "../api/request.ts";
import { loadPods } from "../job/job-requests.ts";
import type { RunName } from "../shell/route.ts";
import type { PodsByJob } from "./run-timeline.ts";
import { runParameters } from "./run-parameters.ts";

/** The most Jobs, events and Pods of one run that the page reads. The CLI reads all of them. */
const MAX_JOBS = 1_000;
const MAX_EVENTS = 1_000;
/** MAX_LIST_LIMIT of src/query/list/list-jobs.ts. */
const LIST_PAGE = 500;

/** The newest runs that match. */
export function loadRuns(parameters: Readonly<Record<string, string>>, most: number): Load<ReadPages<RunAnswer>> {
  return (signal) => {
    const list = { path: "runs", parameters: runParameters(parameters, Date.now()), most };
    return readPages<RunAnswer>({ ...list, pageSize: Math.min(most, LIST_PAGE) }, signal);
  };
}

/** A run, and other runs that had its name. */
export type RunWithOthers = RunAnswer & { readonly otherUids?: readonly string[] };

export function loadRun(run: RunName): Load<RunWithOthers> {
  return (signal) => request<RunWithOthers>(pathOf(run), { uid: run.uid }, signal);
}

export function loadRunWhy(run: RunName): Load<RunWhyAnswer> {
  return (signal) => request<RunWhyAnswer>(`${pathOf(run)}/why`, { uid: run.uid }, signal);
}

export function loadRunJobs(run: RunName): Load<ReadPages<JobAnswer>> {
  return loadPages({ path: `${pathOf(run)}/jobs`, parameters: { uid: run.uid }, most: MAX_JOBS });
}

export function loadRunHistory(run: RunName): Load<ReadPages<RunEvent>> {
  return loadPages({ path: `${pathOf(run)}/history`, parameters: { uid: run.uid }, most: MAX_EVENTS });
}

/** The Pods of some Jobs, by the uid of the Job. */
export function loadPodsOfJobs(jobs: readonly JobAnswer[]): Load<PodsByJob> {
  return async (signal) => {
    const read = await Promise.all(
      jobs.map(async (job) => {
        return { uid: job.uid, pods: await loadPods(job)(signal) };
      }),
    );
    return podsByJob(read);
  };
}

interface PodsOfJob {
  readonly uid: string;
  readonly pods: ApiResult<ReadPages<Attempt>>;
}

/** The first failure, if a request failed. */
function podsByJob(read: readonly PodsOfJob[]): ApiResult<PodsByJob> {
  const byJob = new Map<string, readonly Attempt[]>();
  for (const { uid, pods } of read) {
    if (pods.outcome !== "answered") return pods;
    byJob.set(uid, pods.answer.items);
  }
  return { outcome: "answered", answer: byJob, at: Date.now() };
}

function pathOf({ cluster, namespace, kind, name }: RunName): string {
  const [inCluster, inNamespace, ofKind, named] = [cluster, namespace, kind, name].map(encodeURIComponent);
  return `clusters/${inCluster}/namespaces/${inNamespace}/runs/${ofKind}/${named}`;
}
