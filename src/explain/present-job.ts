import type { PodTally } from "../job/accounting/pod-tally.ts";
import { type DerivedJob, deriveRecord, type RecordContext, recordRules } from "./derived-job.ts";
import type { JobUid } from "../job/model/ids.ts";
import { formatInstant } from "../job/model/instant.ts";
import type { JobObject, JobRecord } from "../job/model/job-record.ts";
import type { JobSpec } from "../job/model/job-spec.ts";
import { ownPods } from "../job/model/own-pod.ts";
import type { UnseenJob } from "../job/model/unseen-job.ts";
import { formatStatus } from "../job/status/status-text.ts";
import { ownKeysOf } from "../parents/own-keys.ts";
import type { Attempt, JobAnswer, JobAnswerSpec } from "./answer-document.ts";
import { presentCause } from "./cause/explain-cause.ts";
import { presentWaiting } from "./cause/explain-waiting.ts";
import { presentAttribution } from "./explain-deletion.ts";
import { presentFinding } from "./explain-finding.ts";
import { presentExpectation } from "./expectation/expectation-text.ts";
import { presentCompleteness } from "./explain-gap.ts";
import { type LineageAnswer, presentLineage } from "./present-lineage.ts";
import { presentAttempts } from "./present-attempt.ts";
import { presentUsage } from "./usage/present-usage.ts";

export interface PresentOptions {
  /** The registered name of the cluster. */
  readonly cluster: string;
  readonly attempts?: readonly Attempt[];
}

/** The answer document of a derived Job. */
export function presentJob(derived: DerivedJob, { cluster, attempts }: PresentOptions): JobAnswer {
  const { job, spec, tally, status, verdict, findings, completeness, deletedBy, unseen } = derived;
  const { cause, waiting, expectation, usage } = derived;
  return {
    cluster,
    ...identityOf(job, unseen),
    ...timesOf(derived),
    ...(deletedBy !== undefined && { deletedBy: presentAttribution(deletedBy) }),
    spec: answerSpec(spec),
    status: status.status,
    verdict,
    ...reportedOf(job),
    tracking: status.tracking,
    pods: podCounts(tally),
    ...(attempts !== undefined && { attempts }),
    ...(cause !== undefined && { cause: presentCause(cause) }),
    ...(waiting !== undefined && { waiting: presentWaiting(waiting) }),
    ...(expectation !== undefined && presentExpectation(expectation)),
    findings: findings.map(presentFinding),
    ...(usage !== undefined && { usage: presentUsage(usage) }),
    completeness: presentCompleteness(completeness),
    asOf: asOf(derived),
  };
}

/** Which Job it is, and its verdict: the fields of its answer that an explanation has too. */
export type JobSubject = Pick<JobAnswer, "cluster" | "namespace" | "name" | "uid" | "verdict" | "completeness">;

export function presentSubject({ job, unseen, verdict, completeness }: DerivedJob, cluster: string): JobSubject {
  const { namespace, name, uid } = identityOf(job, unseen);
  return { cluster, namespace, name, uid, verdict, completeness: presentCompleteness(completeness) };
}

export interface RecordAnswerOptions extends RecordContext {
  readonly cluster: string;
  /** Whether to include an attempt for each Pod. */
  readonly attempts?: boolean;
}

/** The answer document of a Job whose Pods are all in memory. */
export function answerRecord(record: JobRecord, options: RecordAnswerOptions): JobAnswer {
  return presentRecord(deriveRecord(record, options), record, options);
}

/** The answer document of a Job that was derived from a record. */
export function presentRecord(
  derived: DerivedJob,
  record: JobRecord,
  { cluster, attempts, clusterContext }: RecordAnswerOptions,
): JobAnswer {
  if (attempts !== true) return presentJob(derived, { cluster });
  const rules = recordRules(record, clusterContext);
  const context = { job: record.job, clusterContext, rules };
  return presentJob(derived, { cluster, attempts: presentAttempts(ownPods(record).values(), context) });
}

type IdentityAnswer = LineageAnswer &
  Pick<JobAnswer, "namespace" | "name" | "uid" | "owner" | "scheduledAt" | "labels" | "annotations" | "createdAt">;

function identityOf(job: JobObject, unseen: UnseenJob | undefined): IdentityAnswer {
  const { uid, created } = job;
  if (created === undefined) return unseenIdentity(uid, unseen);
  const { namespace, name, owner, labels, marks, createdAt } = created;
  const annotations = ownKeysOf(marks);
  const lineage = presentLineage({ ...created, uid });
  const dueAt = lineage.series?.dueAt;
  return {
    namespace,
    name,
    uid,
    ...(owner !== undefined && { owner }),
    ...(dueAt !== undefined && { scheduledAt: dueAt }),
    ...lineage,
    labels,
    ...(annotations !== undefined && { annotations }),
    createdAt: formatInstant(createdAt),
  };
}

function unseenIdentity(uid: JobUid, unseen: UnseenJob | undefined): IdentityAnswer {
  const { namespace = "", named, createdAt = 0 } = unseen ?? {};
  const job = { namespace, name: named?.name ?? "", uid, labels: {}, createdAt };
  return { ...job, ...presentLineage(job), createdAt: formatInstant(createdAt) };
}

function asOf({ job: { reported }, now, clusterContext: { isUndated } }: DerivedJob): JobAnswer["asOf"] {
  return {
    time: formatInstant(now),
    ...(reported !== undefined && { resourceVersion: String(reported.resourceVersion) }),
    ...(isUndated === true && { bound: "lower" as const }),
  };
}

function timesOf({ job, verdict }: DerivedJob): Pick<JobAnswer, "startedAt" | "finishedAt" | "deletedAt"> {
  const startTime = job.reported?.status.startTime;
  const deleted = job.deleted ?? job.vanished;
  const finishedAt = verdict.final ? (completionTimeOf(job, verdict.state) ?? verdict.since) : undefined;
  return {
    ...(startTime !== undefined && { startedAt: formatInstant(startTime) }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(deleted !== undefined && { deletedAt: formatInstant(deleted.at) }),
  };
}

function completionTimeOf({ reported }: JobObject, state: string): string | undefined {
  const time = state === "Complete" ? reported?.status.completionTime : undefined;
  return time === undefined ? undefined : formatInstant(time);
}

function reportedOf({ reported }: JobObject): Pick<JobAnswer, "reported"> {
  if (reported === undefined) return {};
  return {
    reported: {
      status: formatStatus(reported.status),
      resourceVersion: String(reported.resourceVersion),
      observedAt: formatInstant(reported.at),
    },
  };
}

function podCounts({ outcomes }: PodTally): JobAnswer["pods"] {
  const { Succeeded, Failed, Active, Terminating, Unknown } = outcomes;
  return {
    seen: Succeeded + Failed + Active + Terminating + Unknown,
    succeeded: Succeeded,
    failed: Failed,
    active: Active,
    terminating: Terminating,
    unknown: Unknown,
  };
}

/**
 * Does not compile while a field of the Pod template is left among those of the Job. The hash of its resources means
 * nothing to a reader.
 */
function answerSpec(spec: JobSpec): JobAnswerSpec {
  const { restartPolicy, podActiveDeadlineSeconds, resources: _, ...rest } = spec;
  const deadline = podActiveDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds: podActiveDeadlineSeconds };
  const own: Pick<JobAnswerSpec, keyof typeof rest> = rest;
  return { ...own, template: { spec: { restartPolicy, ...deadline } } };
}
