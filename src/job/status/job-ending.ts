import type { Condition } from "../model/reported-status.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";

/**
 * Conditions by which the Job controller says that the Job is decided: from then on it takes active Pods away
 * (job-semantics 6.1).
 */
const ENDINGS = ["FailureTarget", "SuccessCriteriaMet", "Failed", "Complete"];

/** The conditions, as last reported, by which the Job is ended; the interim ones first, as they are written first. */
export function endingsOf(job: JobObject): readonly Condition[] {
  const reported = job.reported?.status.conditions ?? [];
  const finished = [job.failed?.condition, job.complete?.condition].filter((condition) => condition !== undefined);
  return [...reported, ...finished]
    .filter(({ type, status }) => status === "True" && ENDINGS.includes(type))
    .sort((a, b) => ENDINGS.indexOf(a.type) - ENDINGS.indexOf(b.type));
}

/** When Kubernetes said the Job was over: the transition of Complete or Failed, which also starts the TTL. */
export function finishedAt(job: JobObject): Instant | undefined {
  const finished = job.complete ?? job.failed;
  return finished === undefined ? undefined : (finished.condition.lastTransitionAt ?? finished.at);
}
