import type { ClusterName } from "../../job/model/ids.ts";
import { runMemberOf } from "../../explain/run/job-in-run.ts";
import type { RunMember } from "../../explain/run/run-record.ts";
import { usageOfRecord } from "../../explain/usage/record-usage.ts";
import { sumOfUsage, type Usage } from "../../job/usage/usage.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import { answerState, endOf, identityOf, isJobOver, NO_CONTEXT, shorten } from "../job-state/derive-row.ts";
import { jobObjectOf, type JobState } from "../job-state/job-state.ts";

/** The run that a Job belongs to; `undefined` for a Job on its own, and before its creation was observed. */
export function runUidOfState(state: JobState): string | undefined {
  const { created } = jobObjectOf(state);
  return created && runOfJob(created)?.uid;
}

/**
 * What the run shows of a Job, by the Job's state alone. A large Job does not name the Pod that failed. The usage of a
 * Job is added once all of its Pods have ended, so that a run is not written for each Pod.
 */
export function memberOf(cluster: ClusterName, state: JobState): RunMember | undefined {
  if (identityOf(state) === undefined) return undefined;
  const job = jobObjectOf(state);
  const answer = answerState(cluster, state, { attempts: true });
  const shown = runMemberOf(job.created, answer, shorten(answer));
  if (!isJobOver(job, answer)) return shown;
  const { active, terminating } = answer.pods;
  const usage = active + terminating === 0 ? usageOfEnded(state) : undefined;
  return { ...shown, endedAt: endOf(answer, state), ...(usage !== undefined && { usage }) };
}

/** `undefined` if it is not known, and of a large Job, whose Pods are not read. */
function usageOfEnded(state: JobState): Usage | undefined {
  if (state.layout === "large") return undefined;
  const usage = usageOfRecord(state.record, { clusterContext: NO_CONTEXT, now: state.seenAt });
  return usage && sumOfUsage(usage.values());
}
