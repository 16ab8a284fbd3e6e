import type { ClusterName } from "../../job/model/ids.ts";
import { runMemberOf } from "../../explain/run/job-in-run.ts";
import type { RunMember } from "../../explain/run/run-record.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import { answerState, endOf, identityOf, isJobOver, shorten } from "../job-state/derive-row.ts";
import { jobObjectOf, type JobState } from "../job-state/job-state.ts";

/** The run that a Job belongs to; `undefined` for a Job on its own, and before its creation was observed. */
export function runUidOfState(state: JobState): string | undefined {
  const { created } = jobObjectOf(state);
  return created && runOfJob(created)?.uid;
}

/** What the run shows of a Job, by the Job's state alone. A large Job does not name the Pod that failed. */
export function memberOf(cluster: ClusterName, state: JobState): RunMember | undefined {
  if (identityOf(state) === undefined) return undefined;
  const job = jobObjectOf(state);
  const answer = answerState(cluster, state, { attempts: true });
  return {
    ...runMemberOf(job.created, answer, shorten(answer)),
    ...(isJobOver(job, answer) && { endedAt: endOf(answer, state) }),
  };
}
