import { JOB_SET } from "./job-set.ts";
import { RAY_JOB } from "./ray-job.ts";
import { TRAIN_JOB } from "./train-job.ts";
import { WORKFLOW } from "./workflow.ts";
import type { WatchedStatus } from "./watched-status.ts";
import { WORKLOAD } from "./workload.ts";

/** The kinds whose status is read. The watch, the translation and recordings follow from this list. */
export const WATCHED_STATUSES: readonly WatchedStatus[] = [JOB_SET, TRAIN_JOB, RAY_JOB, WORKFLOW, WORKLOAD];

/** Those of runs. A Workload admits one. */
export const RUN_STATUSES: readonly WatchedStatus[] = WATCHED_STATUSES.filter((status) => status !== WORKLOAD);

const BY_KIND: ReadonlyMap<string, WatchedStatus> = new Map(WATCHED_STATUSES.map((status) => [status.kind, status]));

export function statusOf(kind: string): WatchedStatus | undefined {
  return BY_KIND.get(kind);
}
