import type { Attribution, FactRef } from "../../explain/answer-document.ts";
import type { CronJobRecord, ClusterContext } from "../model/cluster-record.ts";
import { clusterFactRef, jobFactRef } from "../model/fact-ref.ts";
import type { CronJobObserved, JobDeleted, JobDeletionRequested, JobFinished, Owner } from "../model/fact.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";

/** The deletion of a Job that a CronJob owns. */
interface Case {
  readonly job: JobObject;
  readonly owner: Owner;
  /** The first observation of the deletion. */
  readonly asked: JobDeletionRequested | JobDeleted;
  /** The same as evidence. */
  readonly evidence: FactRef;
  /** What is known of the CronJob; `undefined` where nobody saw it. */
  readonly cronJob: CronJobRecord | undefined;
}

/**
 * Why a Job of a CronJob was deleted: history limit, replacement, or the CronJob being deleted itself. `undefined` for a Job of no CronJob, and where
 * what is known of the CronJob gives no reason.
 */
export function attributeToCronJob(
  job: JobObject,
  asked: JobDeletionRequested | JobDeleted,
  evidence: FactRef,
  { cronJobs }: ClusterContext,
): Attribution | undefined {
  const owner = job.created?.owner;
  if (owner?.kind !== "CronJob") return undefined;
  const cronJob = ofNamespace(cronJobs?.get(owner.uid), job.created?.namespace);
  const deletion = { job, owner, asked, evidence, cronJob };
  const gone = cronJobGone(deletion);
  // The CronJob controller deletes in the background.
  if (gone !== undefined || isForeground(asked)) return gone;
  const finished = job.complete ?? job.failed;
  return finished === undefined ? replaced(deletion) : beyondHistory(deletion, finished);
}

/** An owner is of the same namespace. Whoever writes a Job writes its owner's uid: one that names a CronJob elsewhere must not learn of it. */
function ofNamespace(cronJob: CronJobRecord | undefined, namespace: string | undefined): CronJobRecord | undefined {
  return (cronJob?.observed ?? cronJob?.deleted)?.namespace === namespace ? cronJob : undefined;
}

function cronJobGone({ owner, asked, evidence, cronJob }: Case): Attribution | undefined {
  const actor = "generic-garbage-collector";
  const gone = cronJob?.deleted;
  if (gone !== undefined && wentBefore(gone, asked)) {
    const ref = clusterFactRef(gone, `cronjob/${owner.name}`, "was gone");
    const cause = `its CronJob ${owner.name} was deleted, and its Jobs with it`;
    return { actor, cause, confidence: "likely", evidence: [evidence, ref] };
  }
  if (cronJob !== undefined || !isForeground(asked)) return undefined;
  const cause = `its CronJob ${owner.name} was being deleted in the foreground, or somebody deleted the Job so`;
  return { actor, cause, confidence: "possible", evidence: [evidence] };
}

/**
 * In the foreground the Jobs go before their CronJob. In the background they follow, and neither names the instant: the numbers of the two
 * resourceVersions are compared, as for the guess who deleted a Pod (docs/decisions/0008-known-totals.md).
 */
function wentBefore(gone: NonNullable<CronJobRecord["deleted"]>, asked: Case["asked"]): boolean {
  return isForeground(asked) || compareOrder(gone, asked) < 0;
}

function isForeground(asked: Case["asked"]): boolean {
  return asked.kind === "JobDeletionRequested" && asked.finalizers.includes("foregroundDeletion");
}

/** What the API server fills in. */
const DEFAULT_LIMITS = { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 };

function beyondHistory({ job, owner, evidence, cronJob }: Case, finished: JobFinished): Attribution {
  const limit = finished.condition.type === "Complete" ? "successfulJobsHistoryLimit" : "failedJobsHistoryLimit";
  const { observed } = cronJob ?? {};
  const which = observed === undefined ? "the history limit" : `${limit} (${observed[limit] ?? DEFAULT_LIMITS[limit]})`;
  return {
    actor: "cronjob-controller",
    cause: `it was beyond ${which} of CronJob ${owner.name}`,
    confidence: "likely",
    evidence: [finishedRef(job, finished), evidence, ...sightOf(owner, observed, `had ${which}`)],
  };
}

function replaced({ owner, evidence, cronJob }: Case): Attribution | undefined {
  const actor = "cronjob-controller";
  if (cronJob?.observed === undefined) {
    const cause = `CronJob ${owner.name} replaced it, or was deleted itself, or somebody deleted the Job`;
    return { actor, cause, confidence: "possible", evidence: [evidence] };
  }
  if (cronJob.observed.concurrencyPolicy !== "Replace") return undefined;
  const ref = sightOf(owner, cronJob.observed, "had concurrencyPolicy Replace");
  const cause = `CronJob ${owner.name} replaced it by its next run (concurrencyPolicy: Replace)`;
  return { actor, cause, confidence: "likely", evidence: [evidence, ...ref] };
}

function sightOf({ name }: Owner, observed: CronJobObserved | undefined, detail: string): readonly FactRef[] {
  return observed === undefined ? [] : [clusterFactRef(observed, `cronjob/${name}`, detail)];
}

/** That the Job was over, as evidence. */
export function finishedRef(job: JobObject, finished: JobFinished): FactRef {
  const { type, reason } = finished.condition;
  const why = reason === undefined || reason === "" ? "" : ` (${reason})`;
  return jobFactRef(job, finished, `was reported ${type}${why}`);
}
