import * as v from "valibot";
import { RESPONSIBLE, RETRIES } from "../job/cause/responsibility.ts";
import { WAITING_REASONS } from "../job/cause/waiting-cause.ts";
import { expectationEntries } from "./expectation/expectation-schema.ts";
import { usageSchema } from "./usage/usage-schema.ts";
import { FINDING_KINDS } from "./findings/finding-kinds.ts";
import { STATES } from "../job/model/states.ts";
import type { JobCondition, JobStatus } from "../job/status/job-status.ts";
import type { Verdict } from "../job/status/job-verdict.ts";
import { type AnswerOf, count, instant, maybe, text, whole } from "./answer-parts.ts";

/**
 * The public answer document (docs/http.md): names and shapes are a contract. The OpenAPI document and the types follow
 * from these schemas. Only queries and the API load them: other modules import the types. Instants are RFC 3339 text in
 * UTC.
 */

/** A fact that an answer rests on. */
export const factRefSchema = v.object({
  kind: text,
  time: instant,
  resourceVersion: text,
  object: maybe(text),
  detail: maybe(text),
});
export type FactRef = AnswerOf<typeof factRefSchema>;

export const attributionSchema = v.pipe(
  v.object({
    actor: text,
    cause: text,
    confidence: v.picklist(["certain", "likely", "possible"]),
    evidence: v.array(factRefSchema),
  }),
  v.description("Who did it, why, and with which confidence."),
);
export type Attribution = AnswerOf<typeof attributionSchema>;

const podRefSchema = v.object({ uid: text, name: text, node: maybe(text) });
export type PodRef = AnswerOf<typeof podRefSchema>;

export const findingSchema = v.pipe(
  v.object({
    kind: v.picklist(FINDING_KINDS),
    /** One sentence for a person. */
    message: text,
    since: maybe(instant),
    /** The first of them by creation, at most 20. */
    pods: maybe(v.array(podRefSchema)),
    /** How many Pods the finding concerns, including those that `pods` does not name. */
    podCount: maybe(count),
    evidence: v.array(factRefSchema),
  }),
  v.description(
    "A deviation with its evidence: a difference between reported " +
      "and observed status, repeated work, or a stuck object.",
  ),
);
export type Finding = AnswerOf<typeof findingSchema>;

export const gapSchema = v.pipe(
  v.object({ from: maybe(instant), to: maybe(instant), resources: v.array(text), reason: text }),
  v.description("An interval in which the watch was not complete."),
);
export type Gap = AnswerOf<typeof gapSchema>;

export const completenessSchema = v.object({
  /** `stale`: the cluster has been silent since `heardAt`, and the Job may have changed since. */
  level: v.picklist(["complete", "reconciled", "gaps", "stale"]),
  gaps: v.array(gapSchema),
  /** When the cluster was last heard of. Set only in stale answers. */
  heardAt: maybe(instant),
});
export type Completeness = AnswerOf<typeof completenessSchema>;

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

export const podCountsSchema = v.pipe(
  v.object({ seen: count, succeeded: count, failed: count, active: count, terminating: count, unknown: count }),
  v.description("The number of Pods by outcome. Each Pod is counted once; `seen` is the sum."),
);

/** The Job's spec with the API's field names. Contains only the fields of the template that decide the status. */
const specSchema = v.object({
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
export type JobAnswerSpec = AnswerOf<typeof specSchema>;

export const categorySchema = v.picklist([
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

/** The address of a Pod's logs. */
const logLinkEntries = {
  /** The name of the place, such as "Grafana". */
  name: text,
  /** Absent if the link shows the logs of all containers. */
  container: maybe(text),
  url: text,
};
const logLinkSchema = v.object(logLinkEntries);
export type LogLink = AnswerOf<typeof logLinkSchema>;

const containerRunSchema = v.object({
  name: text,
  exitCode: maybe(whole),
  reason: maybe(text),
  signal: maybe(whole),
  startedAt: maybe(instant),
  finishedAt: maybe(instant),
  restartCount: count,
});
export type ContainerRun = AnswerOf<typeof containerRunSchema>;

export const attemptSchema = v.pipe(
  v.object({
    uid: text,
    name: text,
    index: maybe(count),
    node: maybe(text),
    outcome: v.picklist(["Succeeded", "Failed", "Active", "Terminating", "Unknown"]),
    countedAs: maybe(v.picklist(["succeeded", "failed", "ignored", "void"])),
    category: maybe(categorySchema),
    /** Why it did not succeed, or why its containers were restarted, as a clause. */
    cause: maybe(text),
    exitCode: maybe(whole),
    reason: maybe(text),
    message: maybe(text),
    restarts: count,
    containers: v.array(containerRunSchema),
    createdAt: instant,
    scheduledAt: maybe(instant),
    startedAt: maybe(instant),
    finishedAt: maybe(instant),
    deletedAt: maybe(instant),
    deletedBy: maybe(attributionSchema),
    logs: maybe(
      v.pipe(
        v.array(logLinkSchema),
        v.description("Where its logs can be read. Absent if no log links are configured."),
      ),
    ),
    requests: maybe(
      v.pipe(v.record(v.string(), text), v.description("With `podUid`: its effective request, by resource.")),
    ),
    usage: maybe(
      v.pipe(
        usageSchema,
        v.description(
          "With `podUid`: what it reserved. Absent for a success of a Job with more successes than count: " +
            "which of them count depends on all of its Pods.",
        ),
      ),
    ),
  }),
  v.description("An attempt: one Pod of a Job."),
);
export type Attempt = AnswerOf<typeof attemptSchema>;

export const causeSchema = v.pipe(
  v.object({
    category: categorySchema,
    responsible: v.pipe(v.picklist(RESPONSIBLE), v.description("Who has to act on it.")),
    retry: v.pipe(
      v.picklist(RETRIES),
      v.description("What the next run needs in order not to fail for the same cause."),
    ),
    /** One clause: "OOMKilled: container work exceeded its memory limit (32Mi) in 3 of 3 attempts". */
    message: text,
    /** How many attempts failed for this cause. 0 means that containers were only restarted in place. */
    attempts: count,
    /** How many of them Kubernetes counts as failed. */
    counted: count,
    pods: maybe(v.array(podRefSchema)),
    evidence: v.array(factRefSchema),
  }),
  v.description(
    "Why the Job failed, or what its success cost: the cause that most of its unsuccessful attempts share.",
  ),
);
export type Cause = AnswerOf<typeof causeSchema>;

export const waitingSchema = v.pipe(
  v.object({
    reason: v.picklist(WAITING_REASONS),
    /** One clause: "Unschedulable: no node fits (Insufficient cpu on 12 of 14 nodes)". */
    message: text,
    since: instant,
    /** How many Pods wait; 0 for a Job without active Pods. */
    podCount: count,
    pods: maybe(v.array(podRefSchema)),
    evidence: v.array(factRefSchema),
  }),
  v.description("Why the Job, or some of its Pods, are not running, and since when."),
);
export type Waiting = AnswerOf<typeof waitingSchema>;

/** The instant that an answer is as of: the last data from the cluster, or the instant that a query asked for. */
export const asOfSchema = v.object({
  time: instant,
  /** `metadata.resourceVersion` of the Job's last report. */
  resourceVersion: maybe(text),
  /**
   * `lower`: the answer is as of `time` or later. The objects of the cluster have no `managedFields`, which date
   * writes; or a query for the past found facts without arrival times, as in a recording. They are dated by the last
   * instant that the watch had shown, so the state may have become true later than `time`.
   */
  bound: maybe(v.literal("lower")),
});

export const ownerSchema = v.pipe(
  v.object({
    apiVersion: maybe(text),
    kind: text,
    namespace: text,
    name: text,
    uid: maybe(text),
    by: v.pipe(
      v.picklist(["ownerReference", "uid", "name"]),
      v.description("How it was recognised: by the controller reference, a label with its uid, a label with its name."),
    ),
    role: maybe(
      v.pipe(text, v.description("What the Job does in it: worker, launcher, the name of a replicated Job.")),
    ),
  }),
  v.description("An object that the Job belongs to."),
);
export type OwnerRef = AnswerOf<typeof ownerSchema>;

export const runSchema = v.pipe(
  v.object({
    kind: text,
    name: text,
    uid: maybe(text),
    attempt: maybe(v.pipe(count, v.description("How often the run had started its Jobs again: 0 at first."))),
  }),
  v.description("What was submitted once: the outermost owner that is not a series, or the Job itself."),
);

export const seriesSchema = v.pipe(
  v.object({
    kind: text,
    name: text,
    uid: maybe(text),
    dueAt: maybe(v.pipe(instant, v.description("The due time for which it created the Job."))),
  }),
  v.description("What makes such runs over time: a CronJob, a DAG, a hook. Absent if there is none."),
);

export const queueSchema = v.pipe(
  v.object({
    name: text,
    clusterQueue: maybe(text),
    waits: v.array(v.object({ from: instant, to: maybe(instant), reason: text, message: maybe(text) })),
    admittedAt: v.array(instant),
    evictions: v.array(
      v.object({
        at: instant,
        reason: text,
        by: maybe(v.object({ kind: text, namespace: maybe(text), name: maybe(text), uid: maybe(text) })),
      }),
    ),
  }),
  v.description("What its queue of Kueue did: when it waited, was admitted and was evicted."),
);
export type QueueAnswer = AnswerOf<typeof queueSchema>;

/** The fields of a Job. `GET` of one Job adds `generations`. */
export const jobAnswerEntries = {
  cluster: text,
  namespace: text,
  name: text,
  uid: text,
  /** Its controller. */
  owner: maybe(v.object({ apiVersion: maybe(text), kind: text, name: text, uid: text })),
  /** The due time for which its CronJob created it. Absent for other Jobs, and for manual runs. */
  scheduledAt: maybe(instant),
  owners: v.pipe(v.array(ownerSchema), v.description("What the Job belongs to, nearest first.")),
  run: runSchema,
  series: maybe(seriesSchema),
  queue: maybe(queueSchema),
  externalIds: v.pipe(
    v.record(v.string(), v.string()),
    v.description("How other systems name the work, such as `dagster/run-id`, from labels and annotations."),
  ),
  labels: v.record(v.string(), v.string()),
  annotations: maybe(
    v.pipe(v.record(v.string(), v.string()), v.description("Only those whose keys begin with `outlive.dev/`.")),
  ),
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
  ...expectationEntries,
  findings: v.array(findingSchema),
  usage: maybe(usageSchema),
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
  asOf: asOfSchema,
} as const;

export const jobAnswerSchema = v.pipe(
  v.object(jobAnswerEntries),
  v.description("A Job: what Kubernetes reported, what Outlive observed, and the status derived from both."),
);
export type JobAnswer = AnswerOf<typeof jobAnswerSchema>;

/** A status change: a new verdict, new findings, or a deletion. */
export const jobChangeSchema = v.object({
  previous: maybe(v.pipe(v.picklist(STATES), v.description("The previous state. Absent for a new Job."))),
  job: v.pipe(jobAnswerSchema, v.description("The Job as lists show it, right after the change.")),
});
export type JobChange = AnswerOf<typeof jobChangeSchema>;

export const chainEntrySchema = v.pipe(
  v.object({
    time: instant,
    resourceVersion: text,
    kind: text,
    /** "pod/NAME", "job/NAME" or "node/NAME". */
    object: text,
    sentence: text,
  }),
  v.description("One fact."),
);
export type ChainEntry = AnswerOf<typeof chainEntrySchema>;

const podLogLinkSchema = v.object({ pod: text, ...logLinkEntries });
export type PodLogLink = AnswerOf<typeof podLogLinkSchema>;

/** Why a Job is in its state. */
export const whyEntries = {
  answer: v.pipe(text, v.description("The state, then its cause, in at most 25 words.")),
  details: v.pipe(v.array(text), v.description("What the first line leaves out, one sentence each.")),
  /** At most 40. Empty if there is nothing to explain. */
  chain: v.pipe(v.array(chainEntrySchema), v.description("The facts that prove it, oldest first.")),
  /** `atLeast`: a lower bound, because findings concern more Pods than they name. */
  omitted: v.pipe(
    v.object({ count, atLeast: v.boolean() }),
    v.description("The number of further facts that the answer leaves out."),
  ),
  remedies: v.pipe(v.array(text), v.description("How to fix it.")),
  ...expectationEntries,
  logs: maybe(
    v.pipe(
      v.array(podLogLinkSchema),
      v.description(
        "Where the logs of up to three Pods can be read: those that did not succeed, else those that run, else any. " +
          "Absent if no log links are configured.",
      ),
    ),
  ),
} as const;
export type Why = AnswerOf<v.ObjectSchema<typeof whyEntries, undefined>>;
