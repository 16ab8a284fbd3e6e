import type { Attempt, Attribution, Finding, JobAnswer, JobAnswerSpec } from "../../explain/answer-document.ts";
import { attemptsOf } from "./attempts.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import { completenessOf } from "../status/completeness.ts";
import { currentSpec } from "../model/current-spec.ts";
import { findFindings } from "../findings/find-findings.ts";
import type { FindingContext } from "../findings/finding-search.ts";
import type { JobUid } from "../model/ids.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import { type CountingRules, countingRulesOf } from "../accounting/counting-rules.ts";
import { attributeJobDeletion } from "../attribution/job-deletion.ts";
import type { JobObject, JobRecord } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { verdictOf } from "../status/job-verdict.ts";
import { type DerivedStatus, statusOf } from "../status/status.ts";
import { formatStatus } from "../status/status-text.ts";
import { ownPods } from "../model/own-pod.ts";
import type { PodTally } from "../accounting/pod-tally.ts";
import { tallyPods } from "../accounting/tally.ts";
import { wasTracked } from "../accounting/tracking.ts";
import { type UnseenJob, unseenJob, withReadName } from "../model/unseen-job.ts";

/** All that an answer about one Job is made of. The Pods are in it as a tally, so that a Job of a million is answered without them. */
export interface AnswerInput {
  /** The cluster's registered name. */
  readonly cluster: string;
  readonly job: JobObject;
  /** Of all Pods of the Job, by the rules of counting-rules.ts for this Job object. */
  readonly tally: PodTally;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
  readonly attempts?: readonly Attempt[];
  readonly findings: readonly Finding[];
  readonly deletedBy?: Attribution;
  /** What the Pods tell of a Job that was never seen; absent too where they are not at hand. */
  readonly unseen?: UnseenJob;
}

/** The answer document: a pure function of what is known and `now`. */
export function answerJob(input: AnswerInput): JobAnswer {
  const { cluster, job, tally, clusterContext, now, attempts, findings, deletedBy, unseen } = input;
  const derived = deriveStatus(input);
  return {
    cluster,
    ...identityOf(job, unseen),
    ...timesOf(job, derived, tally),
    ...(deletedBy !== undefined && { deletedBy }),
    spec: answerSpec(currentSpec(job)),
    status: derived.status,
    verdict: verdictOf(job, tally, derived),
    ...reportedOf(job),
    tracking: derived.tracking,
    pods: podCounts(tally),
    ...(attempts !== undefined && { attempts }),
    findings,
    completeness: withReadName(completenessOf(job, tally, derived, clusterContext, now), unseen),
    asOf: asOf(job, now),
  };
}

export interface RecordAnswerOptions {
  /** The cluster's registered name. */
  readonly cluster: string;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
  /** With an attempt for each Pod. */
  readonly attempts?: boolean;
  readonly phantomAfter?: FindingContext["phantomAfter"];
}

/** The answer about a Job whose Pods are all at hand. */
export function answerRecord(
  record: JobRecord,
  { cluster, clusterContext, now, attempts, phantomAfter }: RecordAnswerOptions,
): JobAnswer {
  const { job } = record;
  const pods = ownPods(record);
  const rules = recordRules(record, clusterContext);
  const tally = tallyPods(pods.values(), rules);
  const context = findingContextOf({ job, tally, rules, clusterContext, now });
  const findings = findFindings({ ...context, ...(phantomAfter !== undefined && { phantomAfter }) }, pods);
  const deletedBy = attributeJobDeletion(job, clusterContext);
  const unseen = unseenJob(record);
  return answerJob({
    cluster,
    job,
    tally,
    clusterContext,
    now,
    findings,
    ...(deletedBy !== undefined && { deletedBy }),
    ...(unseen !== undefined && { unseen }),
    ...(attempts === true && { attempts: attemptsOf(pods.values(), { job, clusterContext, rules }) }),
  });
}

/** What a search for findings begins with, given the tally of all the Job's Pods. */
export function findingContextOf(
  known: Pick<AnswerInput, "job" | "tally" | "clusterContext" | "now"> & { readonly rules: CountingRules },
): FindingContext {
  const { job, rules, clusterContext, now } = known;
  const { status } = deriveStatus(known);
  return { job, spec: currentSpec(job) ?? DEFAULT_SPEC, rules, status, clusterContext, now };
}

/** How the Pods of a record are counted, all its evidence considered. */
export function recordRules(
  { job, pods }: JobRecord,
  { serverVersion }: Pick<ClusterContext, "serverVersion">,
): CountingRules {
  const podTracked = [...pods.values()].some(wasTracked);
  return countingRulesOf(job, { podTracked, ...(serverVersion !== undefined && { serverVersion }) });
}

function deriveStatus({
  job,
  tally,
  clusterContext,
  now,
}: Pick<AnswerInput, "job" | "tally" | "clusterContext" | "now">): DerivedStatus {
  const { serverVersion } = clusterContext;
  return statusOf({ job, tally, now, ...(serverVersion !== undefined && { serverVersion }) });
}

function identityOf(
  job: JobObject,
  unseen: UnseenJob | undefined,
): Pick<JobAnswer, "namespace" | "name" | "uid" | "owner" | "labels" | "createdAt"> {
  const { uid, created } = job;
  if (created === undefined) return unseenIdentity(uid, unseen);
  const { namespace, name, owner, labels, createdAt } = created;
  return { namespace, name, uid, ...(owner !== undefined && { owner }), labels, createdAt: formatInstant(createdAt) };
}

function unseenIdentity(
  uid: JobUid,
  unseen: UnseenJob | undefined,
): Pick<JobAnswer, "namespace" | "name" | "uid" | "labels" | "createdAt"> {
  const { namespace = "", named, createdAt = 0 } = unseen ?? {};
  return { namespace, name: named?.name ?? "", uid, labels: {}, createdAt: formatInstant(createdAt) };
}

function asOf({ reported }: JobObject, now: Instant): JobAnswer["asOf"] {
  const time = formatInstant(now);
  return reported === undefined ? { time } : { time, resourceVersion: String(reported.resourceVersion) };
}

function timesOf(
  job: JobObject,
  derived: DerivedStatus,
  tally: PodTally,
): Pick<JobAnswer, "startedAt" | "finishedAt" | "deletedAt"> {
  const startTime = job.reported?.status.startTime;
  const deleted = job.deleted ?? job.vanished;
  const verdict = verdictOf(job, tally, derived);
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

/** What the API server fills in: the answer of a Job whose spec was never seen. */
const DEFAULT_SPEC: JobSpec = {
  parallelism: 1,
  completionMode: "NonIndexed",
  backoffLimit: 6,
  suspend: false,
  restartPolicy: "Never",
};

function answerSpec(spec: JobSpec = DEFAULT_SPEC): JobAnswerSpec {
  const { restartPolicy, podActiveDeadlineSeconds, ...rest } = spec;
  const deadline = podActiveDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds: podActiveDeadlineSeconds };
  return { ...rest, template: { spec: { restartPolicy, ...deadline } } };
}
