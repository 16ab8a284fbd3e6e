import type { ClusterName } from "../../job/model/ids.ts";
import { answerRecord } from "../../explain/present-job.ts";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { runJobOf } from "../../explain/run/run-job-of.ts";
import { ownLabels, type RunMember } from "../../explain/run/run-record.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import { deriveRow, NO_CONTEXT } from "../job-state/derive-row.ts";
import type { JobState } from "../job-state/job-state.ts";

/** The run that a Job belongs to; `undefined` for a Job on its own, and before its creation was observed. */
export function runUidOfState(state: JobState): string | undefined {
  const { created } = state.layout === "inline" ? state.record.job : state.job;
  return created && runOfJob(created)?.uid;
}

/** What the run shows of a Job, by the Job's state alone. A large Job does not name the Pod that failed. */
export function memberOf(cluster: ClusterName, state: JobState): RunMember | undefined {
  const derived = deriveRow(cluster, state);
  if (derived === undefined) return undefined;
  const { created } = state.layout === "inline" ? state.record.job : state.job;
  const named = created && runOfJob(created)?.named;
  const { listed, isOver, endedAt } = derived;
  const { namespace, owners, series, externalIds, cause, completeness, labels } = listed;
  return {
    namespace,
    owners,
    ...(series !== undefined && { series }),
    externalIds,
    ...(cause !== undefined && { cause }),
    job: runJobOf(withAttempts(cluster, state, listed)),
    level: completeness.level,
    labels: ownLabels(labels),
    ...(named !== undefined && { named }),
    ...(isOver && { endedAt }),
  };
}

function withAttempts(cluster: ClusterName, state: JobState, listed: JobAnswer): JobAnswer {
  if (state.layout === "large") return listed;
  return answerRecord(state.record, { cluster, clusterContext: NO_CONTEXT, now: state.seenAt, attempts: true });
}
