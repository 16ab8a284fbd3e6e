import type { Attempt, Attribution, Finding, JobAnswer, JobAnswerSpec } from "./answer.ts";
import { attemptsOf } from "./attempts.ts";
import type { Surroundings } from "./cluster-record.ts";
import { completenessOf } from "./completeness.ts";
import { currentSpec } from "./current-spec.ts";
import { findFindings } from "./find-findings.ts";
import type { FindingContext } from "./finding-search.ts";
import type { JobUid } from "./ids.ts";
import { formatInstant, type Instant } from "./instant.ts";
import { type CountingRules, countingRulesOf } from "./counting-rules.ts";
import { attributeJobDeletion } from "./job-deletion.ts";
import type { JobObject, JobRecord } from "./job-record.ts";
import type { JobSpec } from "./job-spec.ts";
import { verdictOf } from "./job-verdict.ts";
import { type DerivedStatus, statusOf } from "./status.ts";
import { formatStatus } from "./status-text.ts";
import { ownPods } from "./own-pod.ts";
import type { PodTally } from "./pod-tally.ts";
import { tallyPods } from "./tally.ts";
import { wasTracked } from "./tracking.ts";
import { type UnseenJob, unseenJob, withReadName } from "./unseen-job.ts";

/** All that an answer about one Job is made of. The Pods are in it as a tally, so that a Job of a million is answered without them. */
export interface AnswerInput {
  /** The cluster's registered name. */
  readonly cluster: string;
  readonly job: JobObject;
  /** Of all Pods of the Job, by the rules of counting-rules.ts for this Job object. */
  readonly tally: PodTally;
  readonly surroundings: Surroundings;
  readonly now: Instant;
  readonly attempts?: readonly Attempt[];
  readonly findings: readonly Finding[];
  readonly deletedBy?: Attribution;
  /** What the Pods tell of a Job that was never seen; absent too where they are not at hand. */
  readonly unseen?: UnseenJob;
}

/** The answer document: a pure function of what is known and `now`. */
export function answerJob(input: AnswerInput): JobAnswer {
  const { cluster, job, tally, surroundings, now, attempts, findings, deletedBy, unseen } = input;
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
    completeness: withReadName(completenessOf(job, tally, derived, surroundings, now), unseen),
    asOf: asOf(job, now),
  };
}

export interface RecordAnswerOptions {
  /** The cluster's registered name. */
  readonly cluster: string;
  readonly surroundings: Surroundings;
  readonly now: Instant;
  /** With an attempt for each Pod. */
  readonly attempts?: boolean;
  readonly phantomAfter?: FindingContext["phantomAfter"];
}

/** The answer about a Job whose Pods are all at hand. */
export function answerRecord(
  record: JobRecord,
  { cluster, surroundings, now, attempts, phantomAfter }: RecordAnswerOptions,
): JobAnswer {
  const { job } = record;
  const pods = ownPods(record);
  const rules = recordRules(record, surroundings);
  const tally = tallyPods(pods.values(), rules);
  const context = findingContextOf({ job, tally, rules, surroundings, now });
  const findings = findFindings({ ...context, ...(phantomAfter !== undefined && { phantomAfter }) }, pods);
  const deletedBy = attributeJobDeletion(job, surroundings);
  const unseen = unseenJob(record);
  return answerJob({
    cluster,
    job,
    tally,
    surroundings,
    now,
    findings,
    ...(deletedBy !== undefined && { deletedBy }),
    ...(unseen !== undefined && { unseen }),
    ...(attempts === true && { attempts: attemptsOf(pods.values(), { job, surroundings, rules }) }),
  });
}

/** What a search for findings begins with, given the tally of all the Job's Pods. */
export function findingContextOf(
  known: Pick<AnswerInput, "job" | "tally" | "surroundings" | "now"> & { readonly rules: CountingRules },
): FindingContext {
  const { job, rules, surroundings, now } = known;
  const { status } = deriveStatus(known);
  return { job, spec: currentSpec(job) ?? DEFAULT_SPEC, rules, status, surroundings, now };
}

/** How the Pods of a record are counted, all its evidence considered. */
export function recordRules(
  { job, pods }: JobRecord,
  { serverVersion }: Pick<Surroundings, "serverVersion">,
): CountingRules {
  const podTracked = [...pods.values()].some(wasTracked);
  return countingRulesOf(job, { podTracked, ...(serverVersion !== undefined && { serverVersion }) });
}

function deriveStatus({
  job,
  tally,
  surroundings,
  now,
}: Pick<AnswerInput, "job" | "tally" | "surroundings" | "now">): DerivedStatus {
  const { serverVersion } = surroundings;
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
