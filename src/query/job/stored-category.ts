import { categoryOfAttempt } from "../../explain/present-attempt.ts";
import { countingRulesOf } from "../../job/accounting/counting-rules.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { NO_CONTEXT } from "../../projection/job-state/derive-row.ts";
import type { JobView } from "../../projection/job-state/read-job.ts";

/** The category of the failure of a Pod of a Job by its state alone, without Events, Nodes and audit logs. */
export function storedCategories({ job, podTracked }: Pick<JobView, "job" | "podTracked">): (pod: PodRecord) => string {
  const context = { job, clusterContext: NO_CONTEXT, rules: countingRulesOf(job, { podTracked }) };
  return (pod) => categoryOfAttempt(pod, context) ?? "unknown";
}
