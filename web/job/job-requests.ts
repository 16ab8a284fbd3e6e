import type { Attempt } from "../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import type { HistoryEntry } from "../../src/query/job/job-history.ts";
import { type Parameters, prefetch, request } from "../api/request.ts";
import type { Load } from "../api/live.ts";
import { loadPages, LONG_PAGE, type ReadPages } from "../api/read-pages.ts";
import type { JobName } from "../shell/route.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";

/** The most Pods and facts of one Job that the page reads. The CLI reads all of them. */
const MAX_PODS = 5_000;
const MAX_FACTS = 5_000;

export function pathOf({ cluster, namespace, name }: JobName): string {
  const [inCluster, inNamespace, ofJob] = [cluster, namespace, name].map(encodeURIComponent);
  return `clusters/${inCluster}/namespaces/${inNamespace}/jobs/${ofJob}`;
}

export function loadJob(job: JobName, asOf: string | undefined): Load<JobWithGenerations> {
  return (signal) => request<JobWithGenerations>(pathOf(job), { uid: job.uid, asOf }, signal);
}

export function loadWhy(job: JobName): Load<WhyAnswer> {
  return (signal) => request<WhyAnswer>(`${pathOf(job)}/why`, which(job), signal);
}

export function loadPods(job: JobName): Load<ReadPages<Attempt>> {
  return loadPages({ path: `${pathOf(job)}/pods`, parameters: which(job), most: MAX_PODS });
}

/** Sends the first requests of a Job's view while the view still loads. */
export function preloadJob(job: JobName, asOf: string | undefined): void {
  prefetch(pathOf(job), { uid: job.uid, asOf });
  prefetch(`${pathOf(job)}/why`, which(job));
  prefetch(`${pathOf(job)}/pods`, { ...which(job), limit: LONG_PAGE });
}

export function loadHistory(job: JobName): Load<ReadPages<HistoryEntry>> {
  return loadPages({ path: `${pathOf(job)}/history`, parameters: which(job), most: MAX_FACTS });
}

function which({ uid }: JobName): Parameters {
  return { uid };
}
