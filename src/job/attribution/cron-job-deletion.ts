import type { ClusterContext, CronJobRecord } from "../model/cluster-context.ts";
import { clusterEvidence, type Evidence, jobEvidence } from "../model/evidence.ts";
import type { CronJobObserved, JobDeleted, JobDeletionRequested, JobFinished, Owner } from "../model/fact.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";
import type { Attribution, DeletionShows, HistoryLimit } from "./attribution.ts";

/** The deletion of a Job and its first observation. */
export interface JobDeletionCase {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  readonly deletion: JobDeletionRequested | JobDeleted;
  /** The deletion as evidence. */
  readonly evidence: Evidence<DeletionShows>;
}

/** The deletion of a Job that a CronJob owns. */
interface Case extends JobDeletionCase {
  readonly owner: Owner;
  /** `undefined` if the CronJob was not observed. */
  readonly cronJob: CronJobRecord | undefined;
}

/**
 * Why a Job of a CronJob was deleted: history limit, replacement, or deletion of the CronJob. `undefined` for any other
 * Job, and if what is known about the CronJob gives no reason.
 */
export function attributeToCronJob(known: JobDeletionCase): Attribution | undefined {
  const { job, deletion } = known;
  const owner = job.created?.owner;
  if (owner?.kind !== "CronJob") return undefined;
  const cronJob = inNamespace(known.clusterContext.cronJobs?.get(owner.uid), job.created?.namespace);
  const ofCronJob = { ...known, owner, cronJob };
  const gone = cronJobGone(ofCronJob);
  // The CronJob controller deletes in the background.
  if (gone !== undefined || isForeground(deletion)) return gone;
  const finished = job.complete ?? job.failed;
  return finished === undefined ? replaced(ofCronJob) : beyondHistory(ofCronJob, finished);
}

/**
 * An owner has the namespace of its objects. The creator of a Job writes the owner's uid: a Job must not reveal
 * anything about a CronJob in another namespace.
 */
function inNamespace(cronJob: CronJobRecord | undefined, namespace: string | undefined): CronJobRecord | undefined {
  return (cronJob?.observed ?? cronJob?.deleted)?.namespace === namespace ? cronJob : undefined;
}

function cronJobGone({ owner, deletion, evidence, cronJob }: Case): Attribution | undefined {
  const actor = "generic-garbage-collector";
  const gone = cronJob?.deleted;
  if (gone !== undefined && wentBefore(gone, deletion)) {
    const shown = clusterEvidence(gone, { kind: "cronjob", name: owner.name }, { what: "cronJobGone" });
    const cause = { cause: "cronJobDeleted", cronJob: owner.name } as const;
    return { actor, cause, confidence: "likely", evidence: [evidence, shown] };
  }
  if (cronJob !== undefined || !isForeground(deletion)) return undefined;
  const cause = { cause: "cronJobDeletedInForeground", cronJob: owner.name } as const;
  return { actor, cause, confidence: "possible", evidence: [evidence] };
}

/**
 * In the foreground, the Jobs go before their CronJob. In the background they follow, and neither object has the
 * instant: the resourceVersions are compared, as for Pod deletions (docs/decisions/0008-known-totals.md).
 */
function wentBefore(gone: NonNullable<CronJobRecord["deleted"]>, deletion: Case["deletion"]): boolean {
  return isForeground(deletion) || compareOrder(gone, deletion) < 0;
}

function isForeground(deletion: Case["deletion"]): boolean {
  return deletion.kind === "JobDeletionRequested" && deletion.finalizers.includes("foregroundDeletion");
}

/** The defaults of the API server. */
const DEFAULT_LIMITS = { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 };

function beyondHistory({ job, owner, evidence, cronJob }: Case, finished: JobFinished): Attribution {
  const { observed } = cronJob ?? {};
  const name = finished.condition.type === "Complete" ? "successfulJobsHistoryLimit" : "failedJobsHistoryLimit";
  const value = observed?.[name] ?? DEFAULT_LIMITS[name];
  const limit: { readonly limit?: HistoryLimit } = observed === undefined ? {} : { limit: { name, value } };
  return {
    actor: "cronjob-controller",
    cause: { cause: "historyLimit", cronJob: owner.name, ...limit },
    confidence: "likely",
    evidence: [
      finishedEvidence(job, finished),
      evidence,
      ...cronJobEvidence(owner, observed, { what: "cronJobLimit", ...limit }),
    ],
  };
}

function replaced({ owner, evidence, cronJob }: Case): Attribution | undefined {
  const actor = "cronjob-controller";
  if (cronJob?.observed === undefined) {
    const cause = { cause: "cronJobNotObserved", cronJob: owner.name } as const;
    return { actor, cause, confidence: "possible", evidence: [evidence] };
  }
  if (cronJob.observed.concurrencyPolicy !== "Replace") return undefined;
  const shown = cronJobEvidence(owner, cronJob.observed, { what: "cronJobReplaces" });
  const cause = { cause: "replacedByCronJob", cronJob: owner.name } as const;
  return { actor, cause, confidence: "likely", evidence: [evidence, ...shown] };
}

function cronJobEvidence(
  { name }: Owner,
  observed: CronJobObserved | undefined,
  shows: DeletionShows,
): readonly Evidence<DeletionShows>[] {
  return observed === undefined ? [] : [clusterEvidence(observed, { kind: "cronjob", name }, shows)];
}

/** The Job's end as evidence. */
export function finishedEvidence(job: JobObject, finished: JobFinished): Evidence<DeletionShows> {
  const { type, reason } = finished.condition;
  const shows = { what: "jobFinished", type, ...(reason !== undefined && reason !== "" && { reason }) } as const;
  return jobEvidence(job, finished, shows);
}
