import type { JobUid, PodUid } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { Order } from "./order.ts";
import type { JobSpec } from "./job-spec.ts";
import type { MessageDetails } from "./message-details.ts";
import type { Condition, ReportedStatus } from "./reported-status.ts";

/**
 * A fact is one observed transition of one object: what was true when its resourceVersion was what `resourceVersion` says.
 * Facts are never taken back; whoever sees the same object at the same resourceVersion states the same facts.
 */
export interface Stamp extends Order {
  /** The latest instant the object itself named when it was seen: how late it was at least. From the cluster's clocks, so for people, never for order. */
  readonly at: Instant;
}

type JobFactOf<Kind extends string, Fields = unknown> = Stamp & {
  readonly kind: Kind;
  readonly jobUid: JobUid;
} & Readonly<Fields>;
type PodFactOf<Kind extends string, Fields = unknown> = JobFactOf<Kind, { podUid: PodUid } & Fields>;
type ClusterFactOf<Kind extends string, Fields = unknown> = Stamp & { readonly kind: Kind } & Readonly<Fields>;

/** The controller that owns an object: the owner reference with `controller: true`. */
export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

// --- Jobs -----------------------------------------------------------------------------------------------------------

/** A Job was seen; who it is. Labels are those of the first observation. */
export type JobCreated = JobFactOf<
  "JobCreated",
  {
    namespace: string;
    name: string;
    createdAt: Instant;
    labels: Readonly<Record<string, string>>;
    owner?: Owner;
    /** `batch.kubernetes.io/cronjob-scheduled-timestamp` (1.28 and later). */
    scheduledAt?: Instant;
    /** Something was cut to its bound (docs/facts.md). */
    truncated?: true;
  }
>;
/** What the Job is to do, as of `generation` (`metadata.generation`, which the API server raises with every change of the spec; 0 where it is absent). */
export type JobSpecified = JobFactOf<"JobSpecified", { generation: number; spec: JobSpec }>;
/** What Kubernetes said of the Job, and those fields of the spec that may change during its life. Each observation of the Job is one such fact. */
export type JobReported = JobFactOf<
  "JobReported",
  { status: ReportedStatus; generation: number; mutable: MutableSpec }
>;
/** The fields of a Job's spec that the API server lets change (job-semantics 4.2, 10). */
export type MutableSpec = Pick<
  JobSpec,
  "parallelism" | "completions" | "suspend" | "activeDeadlineSeconds" | "ttlSecondsAfterFinished"
>;
/** The Job controller counts this Job's Pods by finalizer: its status has `uncountedTerminatedPods`, or it has the tracking annotation (KEP-2307). */
export type JobTracked = JobFactOf<"JobTracked">;
/** The Job controller started this Job without `uncountedTerminatedPods`: it counts the Pods that exist (1.20 to 1.25 without the feature). */
export type JobUntracked = JobFactOf<"JobUntracked">;
/** Kubernetes said that the Job is over: the first True condition of type Complete or Failed. */
export type JobFinished = JobFactOf<"JobFinished", { condition: Condition }>;
/** Somebody asked for the Job to go: `metadata.deletionTimestamp`. */
export type JobDeletionRequested = JobFactOf<
  "JobDeletionRequested",
  { requestedAt: Instant; finalizers: readonly string[] }
>;
/** The Job is gone: a DELETED event. */
export type JobDeleted = JobFactOf<"JobDeleted">;
/** The Job was known, and a later list did not hold it; when and how it went was not seen. */
export type JobVanished = JobFactOf<"JobVanished">;

// --- Pods -----------------------------------------------------------------------------------------------------------

/** A Pod of the Job was seen; who it is. */
export type PodCreated = PodFactOf<
  "PodCreated",
  {
    namespace: string;
    name: string;
    createdAt: Instant;
    /** Annotation `batch.kubernetes.io/job-completion-index`, where it is a whole number of at least 0. */
    index?: number;
    /** Annotation `batch.kubernetes.io/job-index-failure-count`; unreadable counts as 0 (job-semantics 7.1). Absent where the annotation is. */
    indexFailureCount?: number;
    /** Annotation `batch.kubernetes.io/job-index-ignored-failure-count`, read the same way. */
    indexIgnoredFailureCount?: number;
    /** `spec.activeDeadlineSeconds` of the Pod, which is not the Job's. */
    activeDeadlineSeconds?: number;
    /** Names of the containers that must end for the Pod to end, in order; init containers and sidecars are not among them. */
    containers: readonly string[];
    /** Names of the init containers with `restartPolicy: Always` (KEP-753). */
    sidecars?: readonly string[];
    truncated?: true;
  }
>;
/** The Pod carried the finalizer `batch.kubernetes.io/job-tracking`: it was not yet accounted for. */
export type PodTracked = PodFactOf<"PodTracked">;
/** The Pod was seen without the tracking finalizer: the controller has accounted for it, or never tracked it. Never stated of a DELETED event, which may still list it (job-semantics 13). */
export type PodUntracked = PodFactOf<"PodUntracked">;
/** The Pod was bound to a node. */
export type PodScheduled = PodFactOf<"PodScheduled", { node: string; scheduledAt?: Instant }>;
/** The Pod was seen in phase Running. */
export type PodStarted = PodFactOf<"PodStarted", { startedAt?: Instant }>;
/** The Pod as it was seen while its phase was not terminal. Each such observation is one fact. */
export type PodObserved = PodFactOf<
  "PodObserved",
  {
    /** `status.phase`; "" where the API has none. */
    phase: "Pending" | "Running" | "Unknown" | "";
    /** Condition Ready is True. */
    ready: boolean;
    /** Restarts of all its containers and init containers, summed. */
    restarts: number;
    /** Why a container waits, where it is not just being created: ImagePullBackOff, CrashLoopBackOff, CreateContainerConfigError ... The first in order. */
    waiting?: ContainerWaiting;
    /** Why the Pod has no node, where condition PodScheduled is False. */
    unscheduled?: PodUnscheduled;
    /** Names of the containers that run now. Absent: all of them. */
    running?: readonly string[];
    /** Since when it has not been ready, where condition Ready is not True and says so. */
    unreadySince?: Instant;
  }
>;
export interface ContainerWaiting {
  readonly container: string;
  readonly reason: string;
  /** Only where messages are asked for; `details` say what answers need of it. */
  readonly message?: string;
  readonly details?: MessageDetails;
}
export interface PodUnscheduled {
  /** "Unschedulable", "SchedulingGated", "SchedulerError". */
  readonly reason: string;
  readonly since?: Instant;
  readonly message?: string;
  readonly details?: MessageDetails;
  /** Names of the scheduling gates that are still on. */
  readonly gates?: readonly string[];
}
/** The Pod's phase was terminal. A Pod that flipped has one fact of each phase. */
export type PodTerminated = PodFactOf<
  "PodTerminated",
  {
    phase: "Succeeded" | "Failed";
    reason?: string;
    message?: string;
    details?: MessageDetails;
    /** The Pod's conditions at that moment: what a pod failure policy looks at. Standard ones without reason and message. */
    conditions: readonly PodCondition[];
    /** The tracking finalizer was on at that moment. */
    tracked: boolean;
    /** Containers that the status still calls running though the Pod is over (Pod GC of a lost node writes such). */
    stillRunning?: readonly string[];
    truncated?: true;
  }
>;
export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionAt?: Instant;
}
/** One run of one container came to its end. `restartCount` is the number of runs before it. */
export type ContainerEnded = PodFactOf<
  "ContainerEnded",
  {
    container: string;
    init?: true;
    restartCount: number;
    exitCode: number;
    signal?: number;
    reason?: string;
    message?: string;
    details?: MessageDetails;
    /** `resources.limits.memory` of a container that ran out of memory: "512Mi". */
    memoryLimit?: string;
    startedAt?: Instant;
    finishedAt?: Instant;
  }
>;
/** Condition DisruptionTarget was True: somebody is about to take the Pod away (KEP-3329). */
export type PodDisrupted = PodFactOf<"PodDisrupted", { reason: string; message?: string; disruptedAt?: Instant }>;
/** Somebody asked for the Pod to go: `metadata.deletionTimestamp`, first observation. */
export type PodDeletionRequested = PodFactOf<
  "PodDeletionRequested",
  {
    /** `deletionTimestamp` less the grace period: when it was asked. */
    requestedAt: Instant;
    graceSeconds: number;
    /** The phase at that moment. */
    phase: string;
    /** The tracking finalizer was still on: whoever deletes to release a Pod takes it off first (job-semantics 3.4). */
    tracked: boolean;
  }
>;
/** The controller's owner reference is gone while the Pod lives: it was orphaned or released. */
export type PodReleased = PodFactOf<"PodReleased">;
/** The Pod is gone: a DELETED event. */
export type PodDeleted = PodFactOf<"PodDeleted", { tracked: boolean }>;
/** The Pod was known, and a later list did not hold it. */
export type PodVanished = PodFactOf<"PodVanished">;

// --- What is around them --------------------------------------------------------------------------------------------

/** A Node's Ready condition stood at `ready` since `since`. */
export type NodeObserved = ClusterFactOf<
  "NodeObserved",
  {
    node: string;
    nodeUid: string;
    ready: "True" | "False" | "Unknown";
    since: Instant;
    reason?: string;
    unschedulable?: true;
    taints?: readonly string[];
  }
>;
/** The Node object is gone. */
export type NodeDeleted = ClusterFactOf<"NodeDeleted", { node: string; nodeUid: string }>;
/** A CronJob as it was seen. */
export type CronJobObserved = ClusterFactOf<
  "CronJobObserved",
  {
    namespace: string;
    name: string;
    cronJobUid: string;
    createdAt: Instant;
    generation: number;
    schedule: string;
    timeZone?: string;
    suspend: boolean;
    concurrencyPolicy: string;
    startingDeadlineSeconds?: number;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    lastScheduledAt?: Instant;
    lastSuccessfulAt?: Instant;
  }
>;
export type CronJobDeleted = ClusterFactOf<"CronJobDeleted", { namespace: string; name: string; cronJobUid: string }>;

/** The object a hint is about. Core Events have its uid; audit events often have its name only. */
export interface HintTarget {
  readonly kind: "Job" | "Pod" | "Node" | "CronJob";
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}
/** A core/v1 Event. It explains; it never changes a count or a verdict: core Events are lossy and late. */
export type EventHinted = ClusterFactOf<
  "EventHinted",
  {
    hintId: string;
    target: HintTarget;
    reason: string;
    message?: string;
    details?: MessageDetails;
    source?: string;
    type?: string;
    count: number;
    firstAt: Instant;
    lastAt: Instant;
  }
>;
/** An audit event of a request that deletes or evicts (`audit.k8s.io/v1`). `hintId` is `auditID#stage`. */
export type RequestHinted = ClusterFactOf<
  "RequestHinted",
  {
    hintId: string;
    target: HintTarget;
    verb: string;
    subresource?: string;
    user: string;
    userAgent?: string;
    code: number;
    requestedAt: Instant;
  }
>;
/** The exporter could not see: from when to when, which resources, why. Jobs alive in it have answers that say so. */
export type GapRecorded = ClusterFactOf<
  "GapRecorded",
  { gapId: string; from: Instant; to: Instant; resources: readonly string[]; reason: string }
>;
/** The cluster as the exporter found it: its identity (uid of namespace kube-system) and version. A heartbeat: how fresh every answer is. */
export type ClusterObserved = ClusterFactOf<"ClusterObserved", { kubeSystemUid?: string; serverVersion?: string }>;

export type PodFact =
  | PodCreated
  | PodTracked
  | PodUntracked
  | PodScheduled
  | PodStarted
  | PodObserved
  | PodTerminated
  | ContainerEnded
  | PodDisrupted
  | PodDeletionRequested
  | PodReleased
  | PodDeleted
  | PodVanished;
/** Facts about the Job object itself. */
export type JobObjectFact =
  | JobCreated
  | JobSpecified
  | JobReported
  | JobTracked
  | JobUntracked
  | JobFinished
  | JobDeletionRequested
  | JobDeleted
  | JobVanished;
/** Facts that belong to one Job's record. */
export type JobFact = JobObjectFact | PodFact;
export type HintFact = EventHinted | RequestHinted;
/** Facts that belong to the cluster: kept under keys of their own, read when answering. */
export type ClusterFact =
  | NodeObserved
  | NodeDeleted
  | CronJobObserved
  | CronJobDeleted
  | HintFact
  | GapRecorded
  | ClusterObserved;
export type Fact = JobFact | ClusterFact;
export type FactKind = Fact["kind"];

export function isJobFact(fact: Fact): fact is JobFact {
  return "jobUid" in fact;
}

export function isPodFact(fact: Fact): fact is PodFact {
  return "podUid" in fact;
}
