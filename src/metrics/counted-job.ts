import { recordRules } from "../job/derived/derived-job.ts";
import type { ClusterContext } from "../job/model/cluster-record.ts";
import { INLINE_PODS } from "../projection/job-state/join-job-state.ts";
import { type DerivedRow, NO_CONTEXT } from "../projection/job-state/job-row.ts";
import type { JobState } from "../projection/job-state/job-state.ts";
import type { CountedJob } from "./job-contribution.ts";

/** What metrics count of a Job whose row was derived; `clusterContext` if a sweep derived it. */
export function countedJob(state: JobState, derived: DerivedRow, clusterContext?: ClusterContext): CountedJob {
  const { answer, pods, isOver, isSettled, row } = derived;
  const job = state.layout === "large" ? state.job : state.record.job;
  const counted = {
    answer,
    isOver,
    isObserved: job.created !== undefined,
    isOpen: !isOver || (!isSettled && row.phase === "A"),
    needlessMillis: row.measures.needlessMillis,
    isSwept: clusterContext !== undefined,
  };
  if (state.layout === "large") return counted;
  if (mayBecomeLarge(derived)) return { ...counted, pods };
  const around = clusterContext ?? NO_CONTEXT;
  const { record } = state;
  const categories = { job: record.job, clusterContext: around, rules: recordRules(record, around) };
  return { ...counted, pods, categories };
}

/**
 * A large Job has no categories, and its first Pods must not have others than its later ones: a Pod would move from one
 * series to another.
 */
function mayBecomeLarge({ answer: { spec } }: DerivedRow): boolean {
  return Math.max(spec.parallelism, spec.completions ?? 0) > INLINE_PODS;
}
