import type { JobAnswer } from "../../../explain/answer-document.ts";
import type { JobUid } from "../../../job/model/ids.ts";
import type { PodRecord } from "../../../job/model/pod-record.ts";
import { isSettled } from "../../../job/status/settled.ts";
import type { EncodedJobState, JobRow } from "../../../ports/job-row.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import type { Contribution } from "../../../ports/metric-store.ts";
import { measuresOf } from "../../../projection/job-state/job-measures.ts";
import { isJobOver, NO_CONTEXT } from "../../../projection/job-state/derive-row.ts";
import type { InlineJob, JobState } from "../../../projection/job-state/job-state.ts";
import { decodableState, readableWithUsage } from "../../../projection/job-state/stored-answer.ts";
import type { SummaryWithUsage } from "../../../projection/job-state/summary-bytes.ts";
import { categoriesOf } from "../counted-job.ts";
import { type CountedJob, jobContribution } from "../job-contribution.ts";
import { storedRunContribution } from "../run-contribution.ts";

/** A Job, or a run, whose stored form is a row too. */
export interface StoredSubject {
  readonly key: JobKey;
  readonly isRun?: true | undefined;
}

/** A Job that Kueue admits by itself has an entry among runs too, with the same uid. */
export function idOf({ key, isRun }: StoredSubject): string {
  return `${key.cluster}#${isRun === true ? "run/" : ""}${key.jobUid}`;
}

/** What a stored Job or run adds to the metrics. */
export function contributionOf({ key, isRun }: StoredSubject, stored: EncodedJobState): Contribution | undefined {
  return isRun === true ? storedRunContribution(key, stored) : storedContribution(key.jobUid, stored);
}

/**
 * What a stored Job adds to the metrics. It depends only on the stored bytes, so that the same amounts can be
 * subtracted later. `undefined` if the Job is in no list, or its item cannot be read.
 */
export function storedContribution(jobUid: JobUid, { row, bytes }: EncodedJobState): Contribution | undefined {
  const summary = row && readableWithUsage(row);
  const state = summary && decodableState(jobUid, bytes);
  if (row === undefined || summary === undefined || state === undefined) return undefined;
  return jobContribution(countedOf(row, summary, state));
}

/** The same as src/count/metrics/counted-job.ts, but from the row, without deriving the Job again. */
function countedOf({ phase }: JobRow, { answer, usage }: SummaryWithUsage, state: JobState): CountedJob {
  const job = state.layout === "large" ? state.job : state.record.job;
  const pods = state.layout === "large" ? [] : ownPods(state, answer);
  const isOver = isJobOver(job, answer);
  const counted = {
    answer,
    isOver,
    isObserved: job.created !== undefined,
    isOpen: !isOver || (phase === "A" && !isSettled(job, pods)),
    needlessMillis: measuresOf(answer, pods).needlessMillis,
    // The findings of a row that is no longer swept come from a sweep.
    isSwept: phase === "F",
    usage,
  };
  if (state.layout === "large") return counted;
  return { ...counted, pods, ...categoriesOf(answer, { record: state.record, clusterContext: NO_CONTEXT }) };
}

function ownPods({ record }: InlineJob, { namespace }: JobAnswer): readonly PodRecord[] {
  return [...record.pods.values()].filter(({ created }) => created?.namespace === namespace);
}
