import { jobEvents } from "./pod-events.ts";
import type { CauseContext } from "./cause-of-pod.ts";
import { type CreationRefused, detailsAbout } from "./pod-cause.ts";
import { type IdleContext, waitingOfIdle } from "./idle-job.ts";
import type { Waiting, WaitingCause, WaitingReason } from "./waiting-cause.ts";
import { KUEUE } from "./waiting-pod.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import { clusterEvidence, jobEvidence } from "../model/evidence.ts";
import type { EventHinted } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";

export interface JobWaitingContext {
  readonly job: JobObject;
  readonly spec: JobSpec;
  readonly clusterContext: ClusterContext;
  /** When its last Pod was created, if it has any. */
  readonly lastCreatedAt: Instant | undefined;
}

/** Why a Job without active Pods has none: it is suspended or queued, the API server refuses its Pods, or it idles. */
export function waitingOfJob(context: JobWaitingContext & IdleContext): Waiting | undefined {
  return context.spec.suspend ? waitingOfSuspended(context, 0) : (refused(context) ?? waitingOfIdle(context));
}

/** A suspended or queued Job. Its Pods may still be `running` until the Job controller has deleted them. */
export function waitingOfSuspended(context: JobWaitingContext, running: number): Waiting | undefined {
  const found = suspended(context);
  return found && { ...found, running };
}

/** Rejected Pods, while others run. If there is no recent rejection, the missing Pods have another reason. */
export function waitingForMore(
  context: JobWaitingContext,
  { missing, running }: { readonly missing: number; readonly running: number },
): Waiting | undefined {
  if (missing <= 0) return undefined;
  // Object times have whole seconds: a refusal in the second of the last creation is about another Pod.
  const found = refused({ ...context, lastCreatedAt: (context.lastCreatedAt ?? 0) - 1 });
  return found && { ...found, podCount: missing, running };
}

/** The label of Kueue, in facts of the Job's creation: exporters before schema 3 sent no others. */
const QUEUE_LABEL = `${KUEUE}queue-name`;

function suspended({ job, clusterContext }: JobWaitingContext): Waiting | undefined {
  const { created, reported } = job;
  const condition = reported?.status.conditions.find(({ type, status }) => type === "Suspended" && status === "True");
  const since = condition?.lastTransitionAt ?? created?.createdAt;
  if (since === undefined) return undefined;
  const evidence = reported === undefined ? [] : [jobEvidence(job, reported, { what: "suspended" } as const)];
  const queued = queueOf(job, clusterContext);
  return {
    reason: queued === undefined ? "Suspended" : "Queued",
    why: queued ?? { cause: "suspended" },
    since,
    ...NO_PODS,
    evidence,
  };
}

function queueOf(job: JobObject, clusterContext: ClusterContext): WaitingCause | undefined {
  const queue = job.reported?.queueName ?? job.created?.labels[QUEUE_LABEL];
  const isManaged =
    queue !== undefined || jobEvents(job, clusterContext).some(({ source }) => source?.includes("kueue"));
  return isManaged ? { cause: "queued", by: "Kueue", ...(queue !== undefined && { queue }) } : undefined;
}

function refused({ lastCreatedAt = 0, ...context }: JobWaitingContext): Waiting | undefined {
  const found = findRefusal(context, lastCreatedAt);
  return found && { reason: reasonOf(found.why.details?.by), ...found, ...NO_PODS };
}

export interface Refusal {
  readonly why: CreationRefused;
  readonly since: Instant;
  readonly evidence: readonly ReturnType<typeof eventEvidence>[];
}

/** Events FailedCreate since the last Pod was created. Earlier problems are over. */
export function findRefusal({ job, clusterContext }: CauseContext, lastCreatedAt: Instant): Refusal | undefined {
  const events = jobEvents(job, clusterContext).filter(
    ({ reason, lastAt }) => reason === "FailedCreate" && lastAt > lastCreatedAt,
  );
  const latest = events.toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
  if (latest === undefined) return undefined;
  const details = detailsAbout(latest.details, "refusal");
  const hasPods = lastCreatedAt > 0;
  const times = events.reduce((sum, { count }) => sum + count, 0);
  return {
    why: { cause: "refused", times, ...(details !== undefined && { details }), ...(hasPods && { hasPods }) },
    since: Math.min(...events.map(({ firstAt }) => firstAt)),
    evidence: [eventEvidence(job, latest, times)],
  };
}

function reasonOf(by: string | undefined): WaitingReason {
  return by === "quota" ? "QuotaExceeded" : "Admission";
}

function eventEvidence(job: JobObject, event: EventHinted, times: number) {
  const object = { kind: "job", name: job.created?.name ?? job.uid } as const;
  return clusterEvidence(event, object, { what: "event", reason: event.reason, times } as const);
}

const NO_PODS = { pods: [], podCount: 0, running: 0 } as const;
