import type { JobAnswer } from "../explain/answer-document.ts";
import { needlessRuns } from "../job/accounting/needless-runs.ts";
import type { HourlyUsage } from "../job/usage/usage.ts";
import type { JobUid } from "../job/model/ids.ts";
import { hourOf, type Instant } from "../job/model/instant.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import type { EncodedJobState, JobRow } from "../ports/job-row.ts";
import type { CountCell } from "../ports/sums/job-sums.ts";
import { measuresOf } from "../projection/job-state/job-measures.ts";
import { decodableState, readableAnswer, readableWithUsage } from "../projection/job-state/stored-answer.ts";

/** What one Job adds to the counts: a cell with one Job, grouped by its owner, in the hour of its creation. */
export interface JobShare {
  readonly hour: Instant;
  readonly cell: CountCell;
  /** What it reserved. Unset until it is over. */
  readonly usage?: HourlyUsage | undefined;
}

/**
 * The share of a stored Job. It depends on the stored bytes alone, so that what was added for them can be subtracted
 * again. `undefined` where the Job is in no list, or its summary cannot be read.
 */
export function shareOf(jobUid: JobUid, { row, bytes }: EncodedJobState): JobShare | undefined {
  const summary = row && readableWithUsage(row);
  if (row === undefined || summary === undefined) return undefined;
  const { answer, usage } = summary;
  const { owner, durationBucket, ...measures } = measuresOf(answer, podsOf(jobUid, bytes, answer));
  return {
    usage,
    hour: hourOf(row.createdAt),
    cell: {
      ...measures,
      namespace: row.namespace,
      group: owner,
      durations: new Map(durationBucket === undefined ? [] : [[durationBucket, 1]]),
      jobs: 1,
      attention: row.attention ? 1 : 0,
      jobsAgain: measures.needlessRuns > 0 ? 1 : 0,
    },
  };
}

/** Whether the share of a listed Job needs its state, which says for how long Pods ran needlessly. */
export function needsState(row: JobRow): boolean {
  const answer = readableAnswer(row);
  return answer !== undefined && needlessRuns(answer) > 0;
}

/** The own Pods of an inline Job, decoded only if they are read. */
function* podsOf(jobUid: JobUid, bytes: Uint8Array, { namespace }: JobAnswer): Generator<PodRecord, void> {
  const state = decodableState(jobUid, bytes);
  if (state?.layout !== "inline") return;
  for (const pod of state.record.pods.values()) if (pod.created?.namespace === namespace) yield pod;
}
