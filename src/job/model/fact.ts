import type { JobUid, PodUid } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { Order } from "./order.ts";
import type { JobSpec } from "./job-spec.ts";
import type { MessageDetails } from "./message-details.ts";
import type { Condition, ReportedStatus } from "./reported-status.ts";

/**
 * A fact is one observed transition of one object: what was true at its `resourceVersion`. Facts are never withdrawn.
 * Two exporters that observe the same object at the same resourceVersion record the same facts.
 */
export interface Stamp extends Order {
  /**
   * The latest instant that the object itself contained: a lower bound for the time of the observation. It comes from
   * the cluster's clocks, so it is for people, never for ordering.
   */
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
  /** `GROUP/VERSION`. Absent for a CronJob, and in facts of earlier releases. */
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

// --- Jobs -----------------------------------------------------------------------------------------------------------

/** The identity of an observed Job. Labels are those of the first observation. */
export type JobCreated = JobFactOf<
  "JobCreated",
  {
    namespace: string;
    name: string;
    createdAt: Instant;
    labels: Readonly<Record<string, string>>;
    /**
     * What its annotations, or its Pod template, say about what it belongs to: keys of the kinds in `src/parents` that
     * `labels` lacks.
     */
    marks?: Readonly<Record<string, string>>;
    owner?: Owner;
    /** `batch.kubernetes.io/cronjob-scheduled-timestamp` (1.28 and later). */
    scheduledAt?: Instant;
    /** `cronjob.kubernetes.io/instantiate: manual`, as `kubectl create job --from` sets it: no due time. */
    manual?: true;
    /** A field was truncated to its bound (docs/facts.md). */
    truncated?: true;
  }
>;
/**
 * The Job's spec at `generation`: `metadata.generation`, which the API server increments with every change of the spec;
 * 0 if it is absent.
 */
export type JobSpecified = JobFactOf<
  "JobSpecified",
  {
    generation: number;
    spec: JobSpec;
    /** What the Pod template names. Only the log keeps it. Absent: it names none, or an earlier release recorded it. */
    images?: readonly ContainerImage[];
  }
>;
/** `image`: the first 12 hex digits of the SHA-256 of the image reference, as the template has it. */
export interface ContainerImage {
  readonly container: string;
  readonly image: string;
}
/** The reported status of the Job, and the mutable fields of its spec. Each observation of the Job is one such fact. */
export type JobReported = JobFactOf<
  "JobReported",
  {
    status: ReportedStatus;
    generation: number;
    mutable: MutableSpec;
    /** The queue of Kueue that the Job names at that time, as a label or, for early releases, as an annotation. */
    queueName?: string;
  }
>;
/** The mutable fields of a Job's spec (job-semantics 4.2, 10). */
export type MutableSpec = Pick<
  JobSpec,
  "parallelism" | "completions" | "suspend" | "activeDeadlineSeconds" | "ttlSecondsAfterFinished"
>;
/**
 * The Job controller counts this Job's Pods by finalizer: the status has `uncountedTerminatedPods`, or the Job has the
 * tracking annotation (KEP-2307).
 */
export type JobTracked = JobFactOf<"JobTracked">;
/**
 * The Job controller started this Job without `uncountedTerminatedPods`, so it counts the Pods that exist (Kubernetes
 * 1.20 to 1.25 without the feature JobTrackingWithFinalizers).
 */
export type JobUntracked = JobFactOf<"JobUntracked">;
/** The Job finished: the first True condition of type Complete or Failed. */
export type JobFinished = JobFactOf<"JobFinished", { condition: Condition }>;
/** A client requested the deletion of the Job: `metadata.deletionTimestamp`. */
export type JobDeletionRequested = JobFactOf<
  "JobDeletionRequested",
  { requestedAt: Instant; finalizers: readonly string[] }
>;
/** The Job was removed: a DELETED event. */
export type JobDeleted = JobFactOf<"JobDeleted">;
/** A known Job is missing from a later list. When and how it was removed was not observed. */
export type JobVanished = JobFactOf<"JobVanished">;

// --- Pods -----------------------------------------------------------------------------------------------------------

/** The identity of an observed Pod of the Job. */
export type PodCreated = PodFactOf<
  "PodCreated",
  {
    namespace: string;
    name: string;
    createdAt: Instant;
    /** Annotation `batch.kubernetes.io/job-completion-index`, if it is an integer of at least 0. */
    index?: number;
    /**
     * Annotation `batch.kubernetes.io/job-index-failure-count`; absent if the annotation is. An invalid value is 0
     * (job-semantics 7.1).
     */
    indexFailureCount?: number;
    /** Annotation `batch.kubernetes.io/job-index-ignored-failure-count`, with the same rules. */
    indexIgnoredFailureCount?: number;
    /** `spec.activeDeadlineSeconds` of the Pod, not of the Job. */
    activeDeadlineSeconds?: number;
    /** Names of the containers that must end for the Pod to end, in order. Excludes init containers and sidecars. */
    containers: readonly string[];
    /** Names of the init containers with `restartPolicy: Always` (KEP-753). */
    sidecars?: readonly string[];
    /** Names of the containers with a restart policy or rules of their own, which may run again (KEP-5307). */
    restartable?: readonly string[];
    /** `spec.schedulingGroup.podGroupName`: the PodGroup that the scheduler places it with (KEP-4671). */
    podGroup?: string;
    truncated?: true;
  }
>;
/** The Pod had the finalizer `batch.kubernetes.io/job-tracking`: the controller had not accounted for it. */
export type PodTracked = PodFactOf<"PodTracked">;
/**
 * The Pod was observed without the tracking finalizer: the controller has accounted for it, or never tracked it. A
 * DELETED event never gives this fact, because it may still contain the finalizer (job-semantics 13).
 */
export type PodUntracked = PodFactOf<"PodUntracked">;
/** The Pod was bound to a node. */
export type PodScheduled = PodFactOf<
  "PodScheduled",
  {
    node: string;
    scheduledAt?: Instant;
    /** When the kubelet accepted the Pod (`status.startTime`), only if `scheduledAt` is absent. */
    acceptedAt?: Instant;
  }
>;
/**
 * What the Pod reserves on its node: its effective request by resource (KEP-753, KEP-1287, KEP-2837), as quantities in
 * cores, bytes or units (src/job/usage/quantity.ts). Each observation of a Pod with a node is one such fact.
 */
export type PodReserved = PodFactOf<"PodReserved", { requests: Readonly<Record<string, string>> }>;
/** The Pod was observed in phase Running. */
export type PodStarted = PodFactOf<
  "PodStarted",
  {
    startedAt?: Instant;
    /** No container had started: `startedAt` is when the kubelet accepted the Pod. */
    accepted?: true;
  }
>;
/** One observation of the Pod while its phase was not terminal. Each such observation is one fact. */
export type PodObserved = PodFactOf<
  "PodObserved",
  {
    /** `status.phase`; "" if the Pod has none. */
    phase: "Pending" | "Running" | "Unknown" | "";
    /** Condition Ready is True. */
    ready: boolean;
    /** The sum of the restarts of all containers and init containers. */
    restarts: number;
    /**
     * The first container that waits for another reason than its creation, for example ImagePullBackOff,
     * CrashLoopBackOff or CreateContainerConfigError.
     */
    waiting?: ContainerWaiting;
    /** Why the Pod has no node, if condition PodScheduled is False. */
    unscheduled?: PodUnscheduled;
    /** Names of the containers that are running. Absent: all of them. */
    running?: readonly string[];
    /** The last transition of condition Ready, if it is not True. */
    unreadySince?: Instant;
    /** The devices that were reported Unhealthy (KEP-4680). */
    unhealthy?: readonly UnhealthyDevice[];
  }
>;
/** A device of a container (`allocatedResourcesStatus`). */
export interface UnhealthyDevice {
  readonly container: string;
  /** "nvidia.com/gpu", or for a claim "claim:gpus/worker". */
  readonly resource: string;
  readonly device: string;
}
export interface ContainerWaiting {
  readonly container: string;
  readonly reason: string;
  /** Only if the exporter includes messages. `details` contain what answers need of it. */
  readonly message?: string;
  readonly details?: MessageDetails;
}
export interface PodUnscheduled {
  /** "Unschedulable", "SchedulingGated", "SchedulerError". */
  readonly reason: string;
  readonly since?: Instant;
  readonly message?: string;
  readonly details?: MessageDetails;
  /** Names of the remaining scheduling gates. */
  readonly gates?: readonly string[];
}
/** The Pod's phase was terminal. A Pod whose terminal phase changed has one fact of each phase. */
export type PodTerminated = PodFactOf<
  "PodTerminated",
  {
    phase: "Succeeded" | "Failed";
    reason?: string;
    message?: string;
    details?: MessageDetails;
    /** The Pod's conditions at that time, for the pod failure policy. Standard ones have no reason and message. */
    conditions: readonly PodCondition[];
    /** The tracking finalizer was on at that time. */
    tracked: boolean;
    /** Containers that are running in the status of the ended Pod, as Pod GC of a lost node writes it. */
    stillRunning?: readonly string[];
    /** Containers that waited for their next run when the Pod ended. */
    waitingAgain?: readonly string[];
    /** As in an observation before the end: the kubelet updates the health of devices only until then. */
    unhealthy?: readonly UnhealthyDevice[];
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
/** One run of one container ended. `restartCount` is the number of earlier runs. */
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
    /** The same limit of its Pod (KEP-2837), if the container has none, or shares it with others. */
    podMemoryLimit?: string;
    /** The first 12 hex digits of the digest of the image that ran, as the node names it. Only the log keeps it. */
    imageDigest?: string;
    startedAt?: Instant;
    finishedAt?: Instant;
  }
>;
/** Condition DisruptionTarget was True: a component is about to remove the Pod (KEP-3329). */
export type PodDisrupted = PodFactOf<
  "PodDisrupted",
  { reason: string; message?: string; details?: MessageDetails; disruptedAt?: Instant }
>;
/** A client requested the deletion of the Pod: the first observation of `metadata.deletionTimestamp`. */
export type PodDeletionRequested = PodFactOf<
  "PodDeletionRequested",
  {
    /** `deletionTimestamp` minus the grace period: the time of the request. */
    requestedAt: Instant;
    graceSeconds: number;
    /** The phase at that time. */
    phase: string;
    /**
     * The tracking finalizer was on. A client that deletes a Pod to release it removes it first (job-semantics 3.4).
     */
    tracked: boolean;
  }
>;
/** The Pod exists without the controller's owner reference: it was orphaned or released. */
export type PodReleased = PodFactOf<"PodReleased">;
/** The Pod was removed: a DELETED event. */
export type PodDeleted = PodFactOf<"PodDeleted", { tracked: boolean }>;
/** A known Pod is missing from a later list. */
export type PodVanished = PodFactOf<"PodVanished">;

// --- What Jobs belong to --------------------------------------------------------------------------------------------

type RunFactOf<Kind extends string, Fields = unknown> = Stamp & {
  readonly kind: Kind;
  /** The kind of the object. */
  readonly of: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The object whose run this is about: the object itself, or what a Workload of Kueue admits. */
  readonly runUid: string;
} & Readonly<Fields>;

/**
 * One observation of an object that Jobs belong to, or that admits them: a JobSet, a RayJob, a TrainJob, a Workload of
 * Kueue (src/parents/status).
 */
export type ParentObserved = RunFactOf<
  "ParentObserved",
  {
    createdAt: Instant;
    owner?: Owner;
    /** Labels and annotations that name what it belongs to. */
    labels: Readonly<Record<string, string>>;
    /** What its kind names, as text. */
    fields: Readonly<Record<string, string>>;
    conditions: readonly ParentCondition[];
  }
>;
export interface ParentCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  /** What answers need of its message. */
  readonly details?: Readonly<Record<string, string>>;
  readonly lastTransitionAt?: Instant;
}
/** The object was removed: a DELETED event, or a later list lacks it. */
export type ParentDeleted = RunFactOf<"ParentDeleted">;

// --- The cluster around them ----------------------------------------------------------------------------------------

/** A Node's Ready condition has had status `ready` since `since`. */
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
    /** Those that set a price (src/job/usage/node-labels.ts). */
    labels?: Readonly<Record<string, string>>;
    /** When the Node object was created; only with `labels`. Names of Nodes are reused. */
    createdAt?: Instant;
    /** Its lifecycle conditions that are True or False. */
    lifecycle?: readonly NodeLifecycle[];
  }
>;
/** A condition of a Node about its drain, maintenance or shutdown (KEP-5683). */
export interface NodeLifecycle {
  readonly type: NodeLifecycleType;
  readonly status: "True" | "False";
  readonly since: Instant;
  readonly reason?: string;
}
export const NODE_LIFECYCLE_TYPES = [
  "GracefulNodeShutdownInProgress",
  "DrainInProgress",
  "MaintenanceInProgress",
  "Drained",
  "MaintenancePlanned",
] as const;
export type NodeLifecycleType = (typeof NODE_LIFECYCLE_TYPES)[number];
/** The Node object was removed. */
export type NodeDeleted = ClusterFactOf<"NodeDeleted", { node: string; nodeUid: string }>;
/** One observation of a CronJob. */
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
    /** Its labels and annotations for Outlive. */
    marks?: Readonly<Record<string, string>>;
    lastScheduledAt?: Instant;
    lastSuccessfulAt?: Instant;
  }
>;
export type CronJobDeleted = ClusterFactOf<"CronJobDeleted", { namespace: string; name: string; cronJobUid: string }>;
export type CronJobFact = CronJobObserved | CronJobDeleted;
/** One observation of a namespace that has, or had, labels or annotations for Outlive. */
export type NamespaceObserved = ClusterFactOf<
  "NamespaceObserved",
  {
    /** Its name. */
    namespace: string;
    namespaceUid: string;
    /** Its labels and annotations for Outlive. Absent: it had some before. */
    marks?: Readonly<Record<string, string>>;
  }
>;
/** A namespace with labels or annotations for Outlive was removed. */
export type NamespaceDeleted = ClusterFactOf<"NamespaceDeleted", { namespace: string; namespaceUid: string }>;
export type NamespaceFact = NamespaceObserved | NamespaceDeleted;

/** The object that a hint is about. Core Events contain its uid; audit events often contain only its name. */
export interface HintTarget {
  /** `Job`, `Pod`, `Node`, `CronJob`, or a kind of run whose status is read (src/parents/status). */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}
/** A core/v1 Event. It never changes a count or a verdict, because core Events can be lost or late. */
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
/** An audit event of a deletion or eviction request (`audit.k8s.io/v1`). `hintId` is `auditID#stage`. */
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
/**
 * One observation of an EvictionRequest or an Eviction (`lifecycle.k8s.io`, KEP-4563) of a Pod. It names who
 * requests the eviction, and never changes a count or a verdict. `hintId` is the uid of the object.
 */
export type EvictionObserved = ClusterFactOf<
  "EvictionObserved",
  {
    hintId: string;
    of: "EvictionRequest" | "Eviction";
    name: string;
    target: HintTarget;
    createdAt: Instant;
    /** One of an EvictionRequest; of an Eviction, all that the controller has seen, also those that have withdrawn. */
    requesters: readonly EvictionRequester[];
    conditions: readonly EvictionCondition[];
    /** The object was removed. For an EvictionRequest, that is a withdrawal. */
    deleted?: true;
  }
>;
export interface EvictionRequester {
  /** A key with a domain, such as `acme.io/rebalancer`. */
  readonly name: string;
  /** `Eviction`, or `Withdrawn`. */
  readonly intent: string;
}
/** `TargetEvicted` or `Failed`. */
export interface EvictionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly lastTransitionAt?: Instant;
}
/** An interval in which the exporter's watch was not complete. Answers about Jobs of that time include it. */
export type GapRecorded = ClusterFactOf<
  "GapRecorded",
  { gapId: string; from: Instant; to: Instant; resources: readonly string[]; reason: string }
>;
/**
 * A heartbeat of the exporter, with the identity of the cluster (uid of namespace kube-system) and its version. Answers
 * are as of the latest one.
 */
export type ClusterObserved = ClusterFactOf<
  "ClusterObserved",
  {
    kubeSystemUid?: string;
    serverVersion?: string;
    /** The objects have no `managedFields`, which date writes: `at` of their facts may be long before the write. */
    undated?: true;
  }
>;

export type PodFact =
  | PodCreated
  | PodTracked
  | PodUntracked
  | PodScheduled
  | PodReserved
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
export type HintFact = EventHinted | RequestHinted | EvictionObserved;
/** Facts that belong to the cluster. They are stored under their own keys and read when a Job is derived. */
export type ClusterFact =
  | NodeObserved
  | NodeDeleted
  | CronJobFact
  | NamespaceFact
  | HintFact
  | GapRecorded
  | ClusterObserved;
/** Facts that belong to the record of one run. */
export type RunFact = ParentObserved | ParentDeleted;
export type Fact = JobFact | RunFact | ClusterFact;
export type FactKind = Fact["kind"];

export function isJobFact(fact: Fact): fact is JobFact {
  return "jobUid" in fact;
}

export function isRunFact(fact: Fact): fact is RunFact {
  return "runUid" in fact;
}

export function isNamespaceFact(fact: Fact): fact is NamespaceFact {
  return "namespaceUid" in fact;
}

export function isHintFact(fact: Fact): fact is HintFact {
  return "hintId" in fact;
}

export function isPodFact(fact: Fact): fact is PodFact {
  return "podUid" in fact;
}
