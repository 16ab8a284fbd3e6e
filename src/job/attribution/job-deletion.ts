import type { Attribution, FactRef } from "../../explain/answer-document.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import { attributeToCronJob, finishedRef } from "./cron-job-deletion.ts";
import { currentSpec } from "../model/current-spec.ts";
import { actorOf, initiatorOf } from "./deletion-request.ts";
import { durationText } from "../../text/duration-text.ts";
import { instantOf } from "../model/fact-instant.ts";
import { clusterFactRef, jobFactRef } from "../model/fact-ref.ts";
import type { JobDeleted, JobDeletionRequested, RequestHinted } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import { finishedAt } from "../status/job-ending.ts";
import type { JobObject } from "../model/job-record.ts";

/** Who took a Job away, and why. `undefined` while nobody asked for it to go, and where it merely vanished. */
export function attributeJobDeletion(job: JobObject, clusterContext: ClusterContext): Attribution | undefined {
  const asked = job.deletionRequested ?? job.deleted;
  const initiator = initiatorOf(soughtJob(job), clusterContext);
  if (asked === undefined) return initiator === undefined ? undefined : byRequest(initiator, undefined, []);
  const evidence = jobFactRef(job, asked, asked.kind === "JobDeleted" ? "was gone" : "was asked to go");
  const inferred = inferDeletion(job, asked, evidence, clusterContext);
  return initiator === undefined ? inferred : byRequest(initiator, inferred, [evidence]);
}

function inferDeletion(
  job: JobObject,
  asked: JobDeletionRequested | JobDeleted,
  evidence: FactRef,
  clusterContext: ClusterContext,
): Attribution {
  return (
    ttlExpired(job, instantOf(asked), evidence) ??
    attributeToCronJob(job, asked, evidence, clusterContext) ??
    ownerGone(job, evidence) ?? {
      actor: "unknown",
      cause: "a person or a program asked for it: no controller's reason fits, and no audit event tells who",
      confidence: "possible",
      evidence: [evidence],
    }
  );
}

function ttlExpired(job: JobObject, at: Instant, evidence: FactRef): Attribution | undefined {
  const finished = job.complete ?? job.failed;
  const over = finishedAt(job);
  const ttl = currentSpec(job)?.ttlSecondsAfterFinished;
  if (finished === undefined || over === undefined || ttl === undefined) return undefined;
  // The TTL controller deletes in the foreground: there is always a request before the Job is gone.
  if (job.deletionRequested === undefined || at < over + ttl * 1000) return undefined;
  const cause = `ttlSecondsAfterFinished: ${ttl} ran out; it was deleted ${durationText(at - over)} after it had finished`;
  return {
    actor: "ttl-after-finished-controller",
    cause,
    confidence: "likely",
    evidence: [finishedRef(job, finished), evidence],
  };
}

/** What makes a Job and is no CronJob may delete it for reasons of its own. */
function ownerGone(job: JobObject, evidence: FactRef): Attribution | undefined {
  const owner = job.created?.owner;
  if (owner === undefined || owner.kind === "CronJob") return undefined;
  const cause = `its owner, ${owner.kind} ${owner.name}, was deleted or deleted it`;
  return { actor: "generic-garbage-collector", cause, confidence: "possible", evidence: [evidence] };
}

function soughtJob(job: JobObject): Parameters<typeof initiatorOf>[0] {
  const requestedAt = job.deletionRequested?.requestedAt;
  return {
    target: { kind: "Job", namespace: job.created?.namespace ?? "", name: job.created?.name ?? "" },
    uid: job.uid,
    from: job.created?.createdAt ?? 0,
    ...(requestedAt !== undefined && { to: requestedAt }),
  };
}

function byRequest(
  initiator: RequestHinted,
  inferred: Attribution | undefined,
  evidence: readonly FactRef[],
): Attribution {
  const actor = actorOf(initiator.user);
  const ref = clusterFactRef(
    initiator,
    `job/${initiator.target.name}`,
    `was deleted by a request of ${initiator.user}`,
  );
  const agrees = inferred?.actor === actor;
  const cause = agrees ? inferred.cause : (REASONS.get(actor) ?? `${initiator.user} deleted it`);
  return { actor, cause, confidence: "certain", evidence: [...(agrees ? inferred.evidence : evidence), ref] };
}

/** What a controller deletes Jobs for, where nothing else was seen. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["ttl-after-finished-controller", "ttlSecondsAfterFinished ran out"],
  ["cronjob-controller", "its CronJob replaced it or keeps no more of its history"],
  ["generic-garbage-collector", "its owner was deleted"],
]);
