import type { Waiting, WaitingCause, WaitingReason } from "./waiting-cause.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import { type Evidence, jobEvidence } from "../model/evidence.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { ReportedStatus } from "../model/reported-status.ts";
import { trueCondition } from "../status/conditions.ts";
import { isLeftAlone } from "../status/managed-by.ts";

/** Failed Pods of a Job, after which the next Pod is delayed. */
export interface Failures {
  readonly failed: number;
  readonly lastFailedAt: Instant;
  /** A success resets the delay. */
  readonly hasSucceeded: boolean;
}

export interface IdleContext {
  readonly job: JobObject;
  readonly spec: JobSpec;
  readonly now: Instant;
  /** How many more Pods the Job would have now if nothing delayed them. */
  readonly missing: number;
  /** Absent if no Pod failed, or if one is still terminating. */
  readonly failures?: Failures | undefined;
}

interface Idle {
  readonly reason: WaitingReason;
  readonly why: WaitingCause;
  readonly since: Instant | undefined;
}

/** Why a Job has no active Pods although the API server rejects none: its own spec, or its controller. */
export function waitingOfIdle(context: IdleContext): Waiting | undefined {
  const { job } = context;
  if (job.created === undefined || job.deletionRequested !== undefined) return undefined;
  const idle =
    ofOtherController(context) ?? withoutParallelism(context) ?? notStarted(context) ?? inRetryDelay(context);
  if (idle?.since === undefined) return undefined;
  const { reason, why, since } = idle;
  return { reason, why, since, pods: [], podCount: 0, running: 0, evidence: reportOf(job) };
}

/** Another controller may run the Pods elsewhere: then it reports them as active. */
function ofOtherController({ job, spec }: IdleContext): Idle | undefined {
  const { managedBy } = spec;
  if (managedBy === undefined || !isLeftAlone(spec) || (job.reported?.status.active ?? 0) > 0) return undefined;
  return { reason: "Controller", why: { cause: "otherController", managedBy }, since: job.created?.createdAt };
}

function withoutParallelism({ job, spec }: IdleContext): Idle | undefined {
  if (spec.parallelism !== 0 || spec.completions === 0 || job.specified === undefined) return undefined;
  return { reason: "Parallelism", why: { cause: "noParallelism" }, since: zeroSince(job) };
}

/** The first observation of the latest version of the spec without parallelism. */
function zeroSince({ specified, created }: JobObject): Instant | undefined {
  const versions = [...(specified?.values() ?? [])].filter(({ spec }) => spec.parallelism === 0);
  const latest = versions.toSorted((a, b) => a.generation - b.generation).at(-1);
  return latest === undefined ? created?.createdAt : instantOf(latest);
}

/** The Job controller starts a Job within a second, and one of thousands within minutes. */
const UNHANDLED_MS = 60_000;

function notStarted({ job, now, missing }: IdleContext): Idle | undefined {
  const { created, reported } = job;
  if (created === undefined || reported === undefined || missing <= 0) return undefined;
  if (isTouched(reported.status) || now - created.createdAt < UNHANDLED_MS) return undefined;
  return { reason: "Controller", why: { cause: "notStarted" }, since: created.createdAt };
}

/** The first write of the Job controller sets the start time, or a condition. */
function isTouched({ startTime, conditions, active = 0, succeeded = 0, failed = 0 }: ReportedStatus): boolean {
  return startTime !== undefined || conditions.length > 0 || active + succeeded + failed > 0;
}

/** How long the Job controller takes to process a failed Pod. If it then ends the Job, nothing is waiting. */
const SETTLED_MS = 5_000;
/** By then the Job controller has created the next Pod, even with many Jobs. A longer wait has another reason. */
const LATE_MS = 60_000;
const FIRST_DELAY_SECONDS = 10;
const MAX_DELAY_SECONDS = 600;

/** The delay doubles with each failure in a row (job-semantics 5). */
function inRetryDelay({ job, spec, now, missing, failures }: IdleContext): Idle | undefined {
  if (failures === undefined || missing <= 0 || isEnding(job)) return undefined;
  const { failed, lastFailedAt, hasSucceeded } = failures;
  const doubled = Math.min(FIRST_DELAY_SECONDS * 2 ** (failed - 1), MAX_DELAY_SECONDS);
  const atMostSeconds = hasSucceeded ? MAX_DELAY_SECONDS : doubled;
  const elapsed = now - lastFailedAt;
  const isDelayed = elapsed >= SETTLED_MS && elapsed <= atMostSeconds * 1000 + LATE_MS;
  if (failed > spec.backoffLimit || !isDelayed) return undefined;
  const why = { cause: "retryDelay", atMostSeconds } as const;
  return { reason: "BackOff", why, since: lastFailedAt };
}

/** The Job controller has decided how the Job ends, and creates no more Pods. */
function isEnding({ reported }: JobObject): boolean {
  const conditions = reported?.status.conditions ?? [];
  return ["FailureTarget", "SuccessCriteriaMet"].some((type) => trueCondition(conditions, type) !== undefined);
}

function reportOf(job: JobObject): readonly Evidence<{ readonly what: "reported"; readonly active: number }>[] {
  const { reported } = job;
  if (reported === undefined) return [];
  return [jobEvidence(job, reported, { what: "reported", active: reported.status.active ?? 0 } as const)];
}
