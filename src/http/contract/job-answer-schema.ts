import * as v from "valibot";
import type {
  Attempt,
  Attribution,
  Cause,
  Completeness,
  FactRef,
  Finding,
  Gap,
  JobAnswer,
  JobAnswerSpec,
  PodCounts,
  PodRef,
  Waiting,
} from "../../explain/answer-document.ts";
import type { JobCondition, JobStatus } from "../../job/status/job-status.ts";
import type { Verdict } from "../../job/status/job-verdict.ts";
import { WAITING_REASONS } from "../../job/cause/waiting.ts";
import { STATES } from "../../job/model/states.ts";
import { FINDING_KINDS } from "../../explain/findings/finding-kinds.ts";
import { count, instant, maybe, text, whole } from "./schema-parts.ts";

/**
 * Schemas of the answer document (src/explain/answer-document.ts), for the OpenAPI document. The compiler compares them
 * with the types; tests compare them with answers.
 */

export const factRefSchema: v.GenericSchema<FactRef> = v.object({
  kind: text,
  time: instant,
  resourceVersion: text,
  object: maybe(text),
  detail: maybe(text),
});

export const attributionSchema: v.GenericSchema<Attribution> = v.pipe(
  v.object({
    actor: text,
    cause: text,
    confidence: v.picklist(["certain", "likely", "possible"]),
    evidence: v.array(factRefSchema),
  }),
  v.description("Who did it, why, and with which confidence."),
);

const podRefSchema: v.GenericSchema<PodRef> = v.object({ uid: text, name: text, node: maybe(text) });

export const findingSchema: v.GenericSchema<Finding> = v.pipe(
  v.object({
    kind: v.picklist(FINDING_KINDS),
    message: text,
    since: maybe(instant),
    pods: maybe(v.array(podRefSchema)),
    podCount: maybe(count),
    evidence: v.array(factRefSchema),
  }),
  v.description(
    "A deviation with its evidence: a difference between reported " +
      "and observed status, repeated work, or a stuck object.",
  ),
);

export const gapSchema: v.GenericSchema<Gap> = v.pipe(
  v.object({ from: maybe(instant), to: maybe(instant), resources: v.array(text), reason: text }),
  v.description("An interval in which the watch was not complete."),
);

export const completenessSchema: v.GenericSchema<Completeness> = v.object({
  level: v.picklist(["complete", "reconciled", "gaps", "stale"]),
  gaps: v.array(gapSchema),
  heardAt: maybe(instant),
});

const conditionSchema: v.GenericSchema<JobCondition> = v.object({
  type: text,
  status: text,
  reason: maybe(text),
  message: maybe(text),
  lastTransitionTime: maybe(instant),
});

export const jobStatusSchema: v.GenericSchema<JobStatus> = v.pipe(
  v.object({
    active: maybe(count),
    ready: maybe(count),
    terminating: maybe(count),
    succeeded: maybe(count),
    failed: maybe(count),
    completedIndexes: maybe(text),
    failedIndexes: maybe(text),
    startTime: maybe(instant),
    completionTime: maybe(instant),
    conditions: maybe(v.array(conditionSchema)),
    uncountedTerminatedPods: maybe(v.object({ succeeded: maybe(v.array(text)), failed: maybe(v.array(text)) })),
  }),
  v.description("`batch/v1` JobStatus, derived from all facts."),
);

export const verdictSchema: v.GenericSchema<Verdict> = v.object({
  state: v.picklist(STATES),
  reason: maybe(text),
  final: v.pipe(v.boolean(), v.description("Whether the state can no longer change.")),
  basis: v.pipe(
    v.picklist(["reported", "observed", "both"]),
    v.description("The source: Kubernetes (`reported`), Outlive's own count of Pods (`observed`), or both."),
  ),
  since: maybe(instant),
});

export const podCountsSchema: v.GenericSchema<PodCounts> = v.pipe(
  v.object({ seen: count, succeeded: count, failed: count, active: count, terminating: count, unknown: count }),
  v.description("The number of Pods by outcome. Each Pod is counted once; `seen` is the sum."),
);

const specSchema: v.GenericSchema<JobAnswerSpec> = v.object({
  completions: maybe(count),
  parallelism: count,
  completionMode: text,
  backoffLimit: count,
  backoffLimitPerIndex: maybe(count),
  maxFailedIndexes: maybe(count),
  activeDeadlineSeconds: maybe(count),
  ttlSecondsAfterFinished: maybe(count),
  suspend: v.boolean(),
  podReplacementPolicy: maybe(text),
  podFailurePolicy: maybe(v.unknown()),
  successPolicy: maybe(v.unknown()),
  managedBy: maybe(text),
  template: v.object({ spec: v.object({ restartPolicy: text, activeDeadlineSeconds: maybe(count) }) }),
});

const categorySchema = v.picklist([
  "application",
  "oom",
  "eviction",
  "preemption",
  "node-loss",
  "image",
  "configuration",
  "scheduling",
  "probe",
  "deadline",
  "deleted",
  "unknown",
]);

/** Fields of a link to logs. */
export const logLinkEntries = { name: text, container: maybe(text), url: text };

export const attemptSchema: v.GenericSchema<Attempt> = v.pipe(
  v.object({
    uid: text,
    name: text,
    index: maybe(count),
    node: maybe(text),
    outcome: v.picklist(["Succeeded", "Failed", "Active", "Terminating", "Unknown"]),
    countedAs: maybe(v.picklist(["succeeded", "failed", "ignored", "void"])),
    category: maybe(categorySchema),
    cause: maybe(text),
    exitCode: maybe(whole),
    reason: maybe(text),
    message: maybe(text),
    restarts: count,
    containers: v.array(
      v.object({
        name: text,
        exitCode: maybe(whole),
        reason: maybe(text),
        signal: maybe(whole),
        startedAt: maybe(instant),
        finishedAt: maybe(instant),
        restartCount: count,
      }),
    ),
    createdAt: instant,
    scheduledAt: maybe(instant),
    startedAt: maybe(instant),
    finishedAt: maybe(instant),
    deletedAt: maybe(instant),
    deletedBy: maybe(attributionSchema),
    logs: maybe(
      v.pipe(
        v.array(v.object(logLinkEntries)),
        v.description("Where its logs can be read. Absent if no log links are configured."),
      ),
    ),
  }),
  v.description("An attempt: one Pod of a Job."),
);

const causeSchema: v.GenericSchema<Cause> = v.pipe(
  v.object({
    category: categorySchema,
    message: text,
    attempts: count,
    counted: count,
    pods: maybe(v.array(podRefSchema)),
    evidence: v.array(factRefSchema),
  }),
  v.description(
    "Why the Job failed, or what its success cost: the cause that most of its unsuccessful attempts share.",
  ),
);

const waitingSchema: v.GenericSchema<Waiting> = v.pipe(
  v.object({
    reason: v.picklist(WAITING_REASONS),
    message: text,
    since: instant,
    podCount: count,
    pods: maybe(v.array(podRefSchema)),
    evidence: v.array(factRefSchema),
  }),
  v.description("Why the Job, or some of its Pods, are not running, and since when."),
);

/** The fields of a Job. `GET` of one Job adds `generations`. */
export const jobAnswerEntries = {
  cluster: text,
  namespace: text,
  name: text,
  uid: text,
  owner: maybe(v.object({ kind: text, name: text, uid: text })),
  scheduledAt: maybe(instant),
  labels: v.record(v.string(), v.string()),
  createdAt: instant,
  startedAt: maybe(instant),
  finishedAt: maybe(instant),
  deletedAt: maybe(instant),
  deletedBy: maybe(attributionSchema),
  spec: specSchema,
  status: jobStatusSchema,
  verdict: verdictSchema,
  reported: maybe(v.object({ status: jobStatusSchema, resourceVersion: text, observedAt: instant })),
  tracking: v.picklist(["tracked", "untracked", "unknown"]),
  pods: podCountsSchema,
  attempts: maybe(v.array(attemptSchema)),
  cause: maybe(causeSchema),
  waiting: maybe(waitingSchema),
  findings: v.array(findingSchema),
  podsUnread: maybe(
    v.pipe(
      v.literal(true),
      v.description(
        "Only in lists: the Job has so many Pods that a list does not read them. Findings, `cause` and `waiting` " +
          "that need its Pods are missing here; the answer about the Job has them.",
      ),
    ),
  ),
  completeness: completenessSchema,
  asOf: v.object({ time: instant, resourceVersion: maybe(text), bound: maybe(v.literal("lower")) }),
} as const;

export const jobAnswerSchema: v.GenericSchema<JobAnswer> = v.pipe(
  v.object(jobAnswerEntries),
  v.description("A Job: what Kubernetes reported, what Outlive observed, and the status derived from both."),
);
