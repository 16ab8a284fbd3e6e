import type { Condition } from "../model/reported-status.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";

/**
 * The conditions after which the Job controller deletes active Pods (job-semantics 6.1), in the order it writes them.
 */
const ENDINGS = ["FailureTarget", "SuccessCriteriaMet", "Failed", "Complete"];

/** The reported conditions that end the Job, interim conditions first. */
export function endingsOf(job: JobObject): readonly Condition[] {
  const reported = job.reported?.status.conditions ?? [];
  const finished = [job.failed?.condition, job.complete?.condition].filter((condition) => condition !== undefined);
  return [...reported, ...finished]
    .filter(({ type, status }) => status === "True" && ENDINGS.includes(type))
    .sort((a, b) => ENDINGS.indexOf(a.type) - ENDINGS.indexOf(b.type));
}

/** When the Job finished: the transition of Complete or Failed, from which the TTL counts. */
export function finishedAt(job: JobObject): Instant | undefined {
  const finished = job.complete ?? job.failed;
  return finished === undefined ? undefined : (finished.condition.lastTransitionAt ?? finished.at);
}
