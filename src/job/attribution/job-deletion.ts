import type { ClusterContext } from "../model/cluster-context.ts";
import { currentSpec } from "../model/current-spec.ts";
import { jobEvidence } from "../model/evidence.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { finishedAt } from "../status/job-ending.ts";
import type { Attribution } from "./attribution.ts";
import { attributeToCronJob, finishedEvidence, type JobDeletionCase } from "./cron-job-deletion.ts";
import { attributeToRequest, type DeletedObject, firstDeletionRequest } from "./deletion-request.ts";

/** Who deleted a Job, and why. `undefined` while no deletion was observed, and if the Job merely vanished. */
export function attributeJobDeletion(job: JobObject, clusterContext: ClusterContext): Attribution | undefined {
  const deletion = job.deletionRequested ?? job.deleted;
  const request = firstDeletionRequest(deletedJob(job), clusterContext);
  if (deletion === undefined) return request && attributeToRequest(request, { object: "Job", evidence: [] });
  const what = deletion.kind === "JobDeleted" ? "jobGone" : "jobDeletionRequested";
  const evidence = jobEvidence(job, deletion, { what } as const);
  const inferred = inferDeletion({ job, clusterContext, deletion, evidence });
  return request === undefined
    ? inferred
    : attributeToRequest(request, { object: "Job", inferred, evidence: [evidence] });
}

function inferDeletion(known: JobDeletionCase): Attribution {
  return (
    ttlExpired(known) ??
    attributeToCronJob(known) ??
    deletedByOwner(known) ?? {
      actor: "unknown",
      cause: { cause: "unknown" },
      confidence: "possible",
      evidence: [known.evidence],
    }
  );
}

function ttlExpired({ job, deletion, evidence }: JobDeletionCase): Attribution | undefined {
  const finished = job.complete ?? job.failed;
  const finishAt = finishedAt(job);
  const ttlSeconds = currentSpec(job)?.ttlSecondsAfterFinished;
  if (finished === undefined || finishAt === undefined || ttlSeconds === undefined) return undefined;
  const afterMillis = instantOf(deletion) - finishAt;
  // The TTL controller deletes in the foreground: a request always precedes the end of the object.
  if (job.deletionRequested === undefined || afterMillis < ttlSeconds * 1000) return undefined;
  return {
    actor: "ttl-after-finished-controller",
    cause: { cause: "ttlExpired", ttlSeconds, afterMillis },
    confidence: "likely",
    evidence: [finishedEvidence(job, finished), evidence],
  };
}

/** Owners other than CronJobs may delete their Jobs for reasons that Outlive does not know. */
function deletedByOwner({ job, evidence }: JobDeletionCase): Attribution | undefined {
  const owner = job.created?.owner;
  if (owner === undefined || owner.kind === "CronJob") return undefined;
  const cause = { cause: "ownerDeletedJob", owner: { kind: owner.kind, name: owner.name } } as const;
  return { actor: "generic-garbage-collector", cause, confidence: "possible", evidence: [evidence] };
}

function deletedJob(job: JobObject): DeletedObject {
  const requestedAt = job.deletionRequested?.requestedAt;
  return {
    target: { kind: "Job", namespace: job.created?.namespace ?? "", name: job.created?.name ?? "" },
    uid: job.uid,
    from: job.created?.createdAt ?? 0,
    ...(requestedAt !== undefined && { to: requestedAt }),
  };
}
