import type { Cause, JobAnswer } from "../explain/answer-document.ts";
import type { PodLogLink } from "../explain/answer-document.ts";
import type { RunAnswer } from "../explain/run/run-document.ts";
import type { State } from "../job/model/states.ts";
import type { ObservedRun } from "../parents/cron-job/cron-findings.ts";

/** What a notification is about, at one moment. */
export interface Subject {
  readonly kind: "Job" | "Run" | "CronJob" | "Cluster";
  /** The kind of the object that a run is: "JobSet". Only of runs. */
  readonly runKind?: string;
  /** The uid of a Job, run or CronJob, the name of a cluster. */
  readonly uid: string;
  readonly cluster: string;
  /** Empty for a cluster. */
  readonly namespace: string;
  readonly name: string;
  /** Labels, and annotations whose keys begin with `outlive.dev/`. A CronJob has those of its newest run, too. */
  readonly labels: Readonly<Record<string, string>>;
  /** The controller of a Job, the series of a run. */
  readonly owner?: { readonly kind: string; readonly name: string; readonly uid?: string };
  /** The state of a Job or run. Absent for other subjects. */
  readonly state?: State | RunAnswer["verdict"]["state"];
  readonly reason?: string;
  /** Whether the state can still change. @default it can */
  readonly final?: true;
  /** Whether the trace of a final run is whole, or lacks ends of Pods or Jobs that still run. Absent: there is none. */
  readonly trace?: "whole" | "partial";
  /** The category of a Job's cause. */
  readonly cause?: string;
  /** Who has to act on the cause, and whether a retry helps. */
  readonly responsible?: Cause["responsible"];
  readonly retry?: Cause["retry"];
  readonly findings: readonly SubjectFinding[];
  /** The runs of the last due times that succeeded or failed, the oldest first. Only of CronJobs that exist. */
  readonly runs?: readonly ObservedRun[];
  /** The cause in one line. */
  readonly headline: string;
  /** Where the logs of the Pods that explain it can be read. */
  readonly logs?: readonly PodLogLink[];
  /** The instant of this state, RFC 3339. */
  readonly at: string;
  /** When it finished or was deleted, RFC 3339. Absent while it goes on. */
  readonly endedAt?: string;
}

export interface SubjectFinding {
  readonly kind: string;
  readonly message: string;
}

function endOf({ finishedAt, deletedAt }: Pick<RunAnswer, "finishedAt" | "deletedAt">): Pick<Subject, "endedAt"> {
  const endedAt = finishedAt ?? deletedAt;
  return endedAt === undefined ? {} : { endedAt };
}

function traceOf(unfinished: number): Pick<Subject, "trace"> {
  return { trace: unfinished === 0 ? "whole" : "partial" };
}

/** A Job as lists show it. Its trace is that of its run, if it belongs to one. */
export function subjectOfJob(job: JobAnswer): Subject {
  const { uid, cluster, namespace, name, owner, verdict, cause, findings, asOf } = job;
  const { state, reason, final } = verdict;
  return {
    kind: "Job",
    uid,
    cluster,
    namespace,
    name,
    labels: { ...job.annotations, ...job.labels },
    ...(owner && { owner: { kind: owner.kind, name: owner.name, uid: owner.uid } }),
    state,
    ...(reason !== undefined && { reason }),
    ...(final && { final }),
    ...(final && job.run.uid === uid && traceOf(job.pods.active + job.pods.terminating)),
    ...(cause && { cause: cause.category, responsible: cause.responsible, retry: cause.retry }),
    findings: findings.map(({ kind, message }) => ({ kind, message })),
    headline: headlineOf(job),
    at: asOf.time,
    ...endOf(job),
  };
}

/** A run as lists show it. Its series is its owner. */
export function subjectOfRun(run: RunAnswer, uid: string): Subject {
  const { kind, cluster, namespace, name, labels, series, verdict, cause, findings, asOf } = run;
  const { state, reason, final } = verdict;
  return {
    kind: "Run",
    runKind: kind,
    uid,
    cluster,
    namespace,
    name,
    labels,
    ...(series && { owner: { kind: series.kind, name: series.name } }),
    state,
    ...(reason !== undefined && { reason }),
    ...(final && { final, ...traceOf(run.jobs.running + run.jobs.waiting) }),
    ...(cause && { cause: cause.category, responsible: cause.responsible, retry: cause.retry }),
    findings: findings.map(({ kind: of, message }) => ({ kind: of, message })),
    headline: headlineOf(run),
    at: asOf.time,
    ...endOf(run),
  };
}

interface Explained extends Pick<RunAnswer, "cause" | "waiting" | "findings"> {
  readonly verdict: { readonly state: string; readonly reason?: string };
}

function headlineOf({ verdict: { state, reason }, cause, waiting, findings }: Explained): string {
  const why = (cause ?? waiting ?? findings[0])?.message ?? reason;
  return why === undefined ? `${state}.` : `${state}: ${why}`;
}

type Condition = Pick<Subject, "state" | "reason" | "final" | "cause" | "findings">;

/**
 * What a version of a condition stands for: also the rules whose alert about a series is open. Texts are left out,
 * because they contain durations and counts.
 */
export function conditionOf(
  { state, reason, final, cause, findings }: Condition,
  alerts: readonly string[] = [],
): string {
  const kinds = [...new Set(findings.map(({ kind }) => kind))].toSorted();
  const open = alerts.length === 0 ? [] : [alerts.toSorted()];
  return JSON.stringify([state ?? null, reason ?? null, final ?? false, cause ?? null, kinds, ...open]);
}

/** The condition of a CronJob or cluster without findings: no rule matches it, and no notice about it is open. */
export const QUIET = conditionOf({ findings: [] });
