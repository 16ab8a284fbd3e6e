import { presentAttempt } from "../../explain/present-attempt.ts";
import type { Attempt, JobAnswer } from "../../explain/answer-document.ts";
import { presentJob } from "../../explain/present-job.ts";
import { needlessMillis } from "../../job/accounting/needless-millis.ts";
import { needlessRuns } from "../../job/accounting/needless-runs.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { deriveLoaded, type LoadedJob, rulesOf } from "../../query/job/load-job.ts";
import type { ArchiveHour } from "../layout/archive-hour.ts";
import type { TableName } from "../layout/archive-keys.ts";
import type { Column, TableRow } from "../parquet/column.ts";
import { ATTEMPT_COLUMNS, attemptRow } from "./attempt-columns.ts";
import { FACT_COLUMNS } from "./fact-columns.ts";
import { JOB_COLUMNS, jobRow } from "./job-columns.ts";
import { RUN_COLUMNS } from "./run-columns.ts";

/** A row, and the UTC day where it belongs: `2026-11-21`. */
export interface DatedRow {
  readonly table: TableName;
  readonly day: string;
  readonly row: TableRow;
}

export const COLUMNS: { readonly [Table in TableName]: readonly Column[] } = {
  jobs: JOB_COLUMNS,
  runs: RUN_COLUMNS,
  attempts: ATTEMPT_COLUMNS,
  facts: FACT_COLUMNS,
};

export interface RowsOptions {
  readonly revision: ArchiveHour;
  /** The hours of the archive that have facts about the Job. */
  readonly hours: readonly ArchiveHour[];
  /** Which Pods get a row while their Job has not ended. Once it has ended, all do. */
  readonly isTouched: (pod: PodRecord) => boolean;
}

/** A Job with more Pods is not kept in memory, and its needless run time counts as 0, as in summaries. */
const MOST_PODS = 10_000;

/**
 * The rows of a Job: one for the Job once it has finished or was deleted, and one for each Pod that ended. They are
 * derived as of the last data from the cluster.
 */
export async function* jobRows(
  loaded: LoadedJob,
  { revision, hours, isTouched }: RowsOptions,
): AsyncGenerator<DatedRow> {
  const pods: PodRecord[] = [];
  const keeps = loaded.view.podCount <= MOST_PODS;
  const heard = Math.max(loaded.view.seenAt, loaded.clusterContext.heardAt ?? 0);
  const derived = await deriveLoaded(loaded, {
    now: heard,
    visit: (pod) => {
      if (keeps) pods.push(pod);
    },
  });
  const answer = presentJob(derived, { cluster: loaded.cluster });
  const end = endOf(answer);
  if (end !== undefined) {
    const runs = needlessRuns(answer);
    const millis = runs === 0 ? 0 : needlessMillis(pods, answer.spec.completions ?? 0);
    yield { table: "jobs", day: end, row: jobRow({ answer, needless: { runs, millis }, hours, revision }) };
  }
  const context = { job: loaded.view.job, clusterContext: loaded.clusterContext, rules: rulesOf(loaded) };
  for await (const pod of keeps ? pods : loaded.allPods()) {
    if (end === undefined && !isTouched(pod)) continue;
    const attempt = presentAttempt(pod, context);
    const day = endOf(attempt);
    if (day !== undefined) yield { table: "attempts", day, row: attemptRow({ job: answer, attempt, revision }) };
  }
}

/** The UTC day on which a Job or a Pod finished; if it never did, on which it was deleted. */
function endOf({ finishedAt, deletedAt }: Pick<JobAnswer | Attempt, "finishedAt" | "deletedAt">): string | undefined {
  return (finishedAt ?? deletedAt)?.slice(0, 10);
}
