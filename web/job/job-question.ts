import type { Attempt } from "../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import type { HistoryEntry } from "../../src/query/job/job-history.ts";
import { ask, askAhead, type Parameters } from "../ask/ask.ts";
import type { Asked } from "../ask/asked.ts";
import type { Load } from "../ask/live.ts";
import { type ReadPages, readPages } from "../ask/read-pages.ts";
import type { JobName } from "../shell/place.ts";
import type { OneJob } from "./one-job.ts";

/** The most Pods and facts of one Job that the page reads; the CLI reads all of them. */
const MOST_PODS = 5_000;
const MOST_FACTS = 5_000;
/** MAX_LIMIT of src/http/routes/job-page.ts. */
const PAGE = 1_000;

export function pathOf({ cluster, namespace, name }: JobName): string {
  return `clusters/${encodeURIComponent(cluster)}/namespaces/${encodeURIComponent(namespace)}/jobs/${encodeURIComponent(name)}`;
}

export function askJob(job: JobName, asOf: string | undefined): Load<OneJob> {
  return (signal) => ask<OneJob>(pathOf(job), { uid: job.uid, asOf }, signal);
}

export function askWhy(job: JobName): Load<WhyAnswer> {
  return (signal) => ask<WhyAnswer>(`${pathOf(job)}/why`, which(job), signal);
}

export function askPods(job: JobName): Load<ReadPages<Attempt>> {
  return readAll<Attempt>(job, "pods", MOST_PODS);
}

/** Sends what the view of a Job asks first, while the view itself is still loaded. */
export function askJobAhead(job: JobName, asOf: string | undefined): void {
  askAhead(pathOf(job), { uid: job.uid, asOf });
  askAhead(`${pathOf(job)}/why`, which(job));
  askAhead(`${pathOf(job)}/pods`, { ...which(job), limit: PAGE });
}

export function askHistory(job: JobName): Load<ReadPages<HistoryEntry>> {
  return readAll<HistoryEntry>(job, "history", MOST_FACTS);
}

function readAll<Item>(
  job: JobName,
  what: string,
  most: number,
): (signal: AbortSignal) => Promise<Asked<ReadPages<Item>>> {
  return (signal) => readPages<Item>(`${pathOf(job)}/${what}`, which(job), { most, pageSize: PAGE }, signal);
}

function which({ uid }: JobName): Parameters {
  return { uid };
}
