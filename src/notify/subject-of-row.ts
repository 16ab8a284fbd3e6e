import { starterIn } from "../parents/run/run-uid.ts";
import type { JobRow } from "../ports/job-row.ts";
import type { JobKey } from "../ports/jobs.ts";
import { readSummary } from "../projection/job-state/summary-bytes.ts";
import { answerRow } from "../query/runs/answer-row.ts";
import { type Subject, subjectOfJob, subjectOfRun } from "./subject.ts";

export interface NotifiedRow {
  readonly key: JobKey;
  readonly isRun?: true | undefined;
}

/**
 * What a row is about; `undefined` if no message is about it. Of a run there is one message, and none of its Jobs. A
 * run that only names of other systems describe sends none: its Jobs do.
 */
export function subjectOfRow({ key, isRun }: NotifiedRow, row: JobRow): Subject | undefined {
  if (isRun === true) {
    const run = answerRow({ ...row, ...key });
    return run?.uid === undefined ? undefined : subjectOfRun(run, key.jobUid);
  }
  const job = readSummary(row);
  return starterIn(job.owners) === undefined ? subjectOfJob(job) : undefined;
}
