import type { JobAnswer } from "../../explain/answer-document.ts";
import { recordRules } from "../../explain/derived-job.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import { INLINE_PODS } from "../../projection/job-state/join-job-state.ts";
import { type DerivedRow, NO_CONTEXT } from "../../projection/job-state/derive-row.ts";
import type { JobState } from "../../projection/job-state/job-state.ts";
import type { CountedJob } from "./job-contribution.ts";

/** What metrics count of a Job whose row was derived. `clusterContext` is set if a sweep derived it. */
export function countedJob(state: JobState, derived: DerivedRow, clusterContext?: ClusterContext): CountedJob {
  const { answer, pods, isOver, isSettled, row, usage } = derived;
  const job = state.layout === "large" ? state.job : state.record.job;
  const counted = {
    answer,
    isOver,
    isObserved: job.created !== undefined,
    isOpen: !isOver || (!isSettled && row.phase === "A"),
    needlessMillis: row.measures.needlessMillis,
    isSwept: clusterContext !== undefined,
    usage,
  };
  if (state.layout === "large") return counted;
  const around = { record: state.record, clusterContext: clusterContext ?? NO_CONTEXT };
  return { ...counted, pods, ...categoriesOf(answer, around) };
}

/** The context on which the categories of an inline Job's Pods depend. */
export function categoriesOf(
  { spec }: Pick<JobAnswer, "spec">,
  { record, clusterContext }: { readonly record: JobRecord; readonly clusterContext: ClusterContext },
): Pick<CountedJob, "categories"> {
  if (mayBecomeLarge(spec)) return {};
  return { categories: { job: record.job, clusterContext, rules: recordRules(record, clusterContext) } };
}

/**
 * A large Job has no categories. Its first Pods must not have any either: they would move to another series when the
 * Job becomes large.
 */
function mayBecomeLarge({ parallelism, completions = 0 }: JobAnswer["spec"]): boolean {
  return Math.max(parallelism, completions) > INLINE_PODS;
}
