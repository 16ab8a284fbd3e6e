import {
  type ContainerImage,
  type ContainerWaiting,
  type EvictionCondition,
  type EvictionRequester,
  type Fact,
  type FactKind,
  type HintTarget,
  type MutableSpec,
  NODE_LIFECYCLE_TYPES,
  type NodeLifecycle,
  type Owner,
  type ParentCondition,
  type PodCondition,
  type PodUnscheduled,
  type Stamp,
  type UnhealthyDevice,
} from "../job/model/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../job/model/ids.ts";
import { isMessageDetails, isPolicyDetails } from "./message-details-check.ts";
import type { JobSpec, PodFailurePolicyRule } from "../job/model/job-spec.ts";
import { decodeResourceVersion, type ResourceVersion } from "../job/model/order.ts";
import type { Condition, ReportedStatus, UncountedPods } from "../job/model/reported-status.ts";
import {
  type Check,
  type FieldChecks,
  isBoolean,
  isNumber,
  isRecord,
  isText,
  isTextRecord,
  isWhole,
  list,
  object,
  oneOf,
  optional,
} from "./check.ts";

type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;

/** Whether `value` is a fact of a kind that this build knows, with all required fields and no unknown field. */
export function isFact(value: unknown): value is Fact {
  return isRecord(value) && isFactKind(value["kind"]) && FACTS[value["kind"]](value);
}

function isFactKind(value: unknown): value is FactKind {
  return typeof value === "string" && Object.hasOwn(FACTS, value);
}

function isJobUid(value: unknown): value is JobUid {
  return decodeJobUid(value) !== undefined;
}

function isPodUid(value: unknown): value is PodUid {
  return decodePodUid(value) !== undefined;
}

export function isResourceVersion(value: unknown): value is ResourceVersion {
  return typeof value === "number" && decodeResourceVersion(String(value)) !== undefined;
}

export function isEpoch(value: unknown): value is number {
  return isWhole(value) && value >= 0;
}

/** Always true here: the check was chosen by `kind`. */
const isKind = isFactKind as Check<never>;
const isTrue = oneOf(true);

const stamp: FieldChecks<Stamp> = { epoch: isEpoch, resourceVersion: isResourceVersion, at: isWhole };

type OwnFields<Kind extends FactKind> = Omit<FactOf<Kind>, keyof Stamp | "kind" | "jobUid" | "podUid">;

function clusterFact<Kind extends FactKind>(fields: FieldChecks<OwnFields<Kind>>): Check<FactOf<Kind>> {
  return object<FactOf<Kind>>({ ...stamp, kind: isKind, ...fields } as unknown as FieldChecks<FactOf<Kind>>);
}

function jobFact<Kind extends FactKind>(fields: FieldChecks<OwnFields<Kind>>): Check<FactOf<Kind>> {
  const all = { ...stamp, kind: isKind, jobUid: isJobUid, ...fields };
  return object<FactOf<Kind>>(all as unknown as FieldChecks<FactOf<Kind>>);
}

function podFact<Kind extends FactKind>(fields: FieldChecks<OwnFields<Kind>>): Check<FactOf<Kind>> {
  const all = { ...stamp, kind: isKind, jobUid: isJobUid, podUid: isPodUid, ...fields };
  return object<FactOf<Kind>>(all as unknown as FieldChecks<FactOf<Kind>>);
}

const isCondition = object<Condition>({
  type: isText,
  status: isText,
  reason: optional(isText),
  message: optional(isText),
  details: optional(isPolicyDetails),
  lastTransitionAt: optional(isWhole),
});

const isPodCondition = object<PodCondition>({
  type: isText,
  status: isText,
  reason: optional(isText),
  message: optional(isText),
  lastTransitionAt: optional(isWhole),
});

const isOwner = object<Owner>({ apiVersion: optional(isText), kind: isText, name: isText, uid: isText });

const isRule = object<PodFailurePolicyRule>({
  action: isText,
  onExitCodes: optional(
    object<NonNullable<PodFailurePolicyRule["onExitCodes"]>>({
      containerName: optional(isText),
      operator: isText,
      values: list(isNumber),
    }),
  ),
  onPodConditions: optional(
    list(object<{ readonly type: string; readonly status: string }>({ type: isText, status: isText })),
  ),
});

const mutableSpec: FieldChecks<MutableSpec> = {
  parallelism: isNumber,
  completions: optional(isNumber),
  suspend: isBoolean,
  activeDeadlineSeconds: optional(isNumber),
  ttlSecondsAfterFinished: optional(isNumber),
};

const isJobSpec = object<JobSpec>({
  ...mutableSpec,
  completionMode: isText,
  backoffLimit: isNumber,
  backoffLimitPerIndex: optional(isNumber),
  maxFailedIndexes: optional(isNumber),
  podReplacementPolicy: optional(isText),
  podFailurePolicy: optional(object<NonNullable<JobSpec["podFailurePolicy"]>>({ rules: list(isRule) })),
  successPolicy: optional(
    object<NonNullable<JobSpec["successPolicy"]>>({
      rules: list(
        object<{ readonly succeededIndexes?: string; readonly succeededCount?: number }>({
          succeededIndexes: optional(isText),
          succeededCount: optional(isNumber),
        }),
      ),
    }),
  ),
  managedBy: optional(isText),
  restartPolicy: isText,
  podActiveDeadlineSeconds: optional(isNumber),
  resources: optional(isText),
});

const isUncounted = object<UncountedPods>({
  succeeded: list(isPodUid),
  failed: list(isPodUid),
  succeededBeyond: optional(isNumber),
  failedBeyond: optional(isNumber),
});

const isReportedStatus = object<ReportedStatus>({
  active: optional(isNumber),
  ready: optional(isNumber),
  terminating: optional(isNumber),
  succeeded: optional(isNumber),
  failed: optional(isNumber),
  completedIndexes: optional(isText),
  failedIndexes: optional(isText),
  startTime: optional(isWhole),
  completionTime: optional(isWhole),
  conditions: list(isCondition),
  uncounted: optional(isUncounted),
  truncated: optional(isTrue),
});

const isUnhealthyDevice = object<UnhealthyDevice>({ container: isText, resource: isText, device: isText });

const isTarget = object<HintTarget>({
  kind: isText,
  namespace: isText,
  name: isText,
  uid: optional(isText),
});

const namespaceFields: FieldChecks<OwnFields<"NamespaceDeleted">> = { namespace: isText, namespaceUid: isText };
const isNodeLifecycle = object<NodeLifecycle>({
  type: oneOf(...NODE_LIFECYCLE_TYPES),
  status: oneOf("True", "False"),
  since: isWhole,
  reason: optional(isText),
});

const cronJobFields: FieldChecks<OwnFields<"CronJobDeleted">> = { namespace: isText, name: isText, cronJobUid: isText };

const runFields: FieldChecks<OwnFields<"ParentDeleted">> = {
  of: isText,
  namespace: isText,
  name: isText,
  uid: isText,
  runUid: isText,
};

const FACTS: { readonly [Kind in FactKind]: Check<FactOf<Kind>> } = {
  JobCreated: jobFact<"JobCreated">({
    namespace: isText,
    name: isText,
    createdAt: isWhole,
    labels: isTextRecord,
    marks: optional(isTextRecord),
    owner: optional(isOwner),
    scheduledAt: optional(isWhole),
    manual: optional(isTrue),
    truncated: optional(isTrue),
  }),
  JobSpecified: jobFact<"JobSpecified">({
    generation: isNumber,
    spec: isJobSpec,
    images: optional(list(object<ContainerImage>({ container: isText, image: isText }))),
  }),
  JobReported: jobFact<"JobReported">({
    status: isReportedStatus,
    generation: isNumber,
    mutable: object<MutableSpec>(mutableSpec),
    queueName: optional(isText),
  }),
  JobTracked: jobFact<"JobTracked">({}),
  JobUntracked: jobFact<"JobUntracked">({}),
  JobFinished: jobFact<"JobFinished">({ condition: isCondition }),
  JobDeletionRequested: jobFact<"JobDeletionRequested">({ requestedAt: isWhole, finalizers: list(isText) }),
  JobDeleted: jobFact<"JobDeleted">({}),
  JobVanished: jobFact<"JobVanished">({}),
  PodCreated: podFact<"PodCreated">({
    namespace: isText,
    name: isText,
    createdAt: isWhole,
    index: optional(isNumber),
    indexFailureCount: optional(isNumber),
    indexIgnoredFailureCount: optional(isNumber),
    activeDeadlineSeconds: optional(isNumber),
    containers: list(isText),
    sidecars: optional(list(isText)),
    restartable: optional(list(isText)),
    podGroup: optional(isText),
    truncated: optional(isTrue),
  }),
  PodTracked: podFact<"PodTracked">({}),
  PodUntracked: podFact<"PodUntracked">({}),
  PodScheduled: podFact<"PodScheduled">({
    node: isText,
    scheduledAt: optional(isWhole),
    acceptedAt: optional(isWhole),
  }),
  PodReserved: podFact<"PodReserved">({ requests: isTextRecord }),
  PodStarted: podFact<"PodStarted">({ startedAt: optional(isWhole), accepted: optional(isTrue) }),
  PodObserved: podFact<"PodObserved">({
    phase: oneOf("Pending", "Running", "Unknown", ""),
    ready: isBoolean,
    restarts: isNumber,
    waiting: optional(
      object<ContainerWaiting>({
        container: isText,
        reason: isText,
        message: optional(isText),
        details: optional(isMessageDetails),
      }),
    ),
    unscheduled: optional(
      object<PodUnscheduled>({
        reason: isText,
        since: optional(isWhole),
        message: optional(isText),
        details: optional(isMessageDetails),
        gates: optional(list(isText)),
      }),
    ),
    running: optional(list(isText)),
    unreadySince: optional(isWhole),
    unhealthy: optional(list(isUnhealthyDevice)),
  }),
  PodTerminated: podFact<"PodTerminated">({
    phase: oneOf("Succeeded", "Failed"),
    reason: optional(isText),
    message: optional(isText),
    details: optional(isMessageDetails),
    conditions: list(isPodCondition),
    tracked: isBoolean,
    stillRunning: optional(list(isText)),
    waitingAgain: optional(list(isText)),
    unhealthy: optional(list(isUnhealthyDevice)),
    truncated: optional(isTrue),
  }),
  ContainerEnded: podFact<"ContainerEnded">({
    container: isText,
    init: optional(isTrue),
    restartCount: isNumber,
    exitCode: isNumber,
    signal: optional(isNumber),
    reason: optional(isText),
    message: optional(isText),
    details: optional(isMessageDetails),
    memoryLimit: optional(isText),
    podMemoryLimit: optional(isText),
    imageDigest: optional(isText),
    startedAt: optional(isWhole),
    finishedAt: optional(isWhole),
  }),
  PodDisrupted: podFact<"PodDisrupted">({
    reason: isText,
    message: optional(isText),
    details: optional(isMessageDetails),
    disruptedAt: optional(isWhole),
  }),
  PodDeletionRequested: podFact<"PodDeletionRequested">({
    requestedAt: isWhole,
    graceSeconds: isNumber,
    phase: isText,
    tracked: isBoolean,
  }),
  PodReleased: podFact<"PodReleased">({}),
  PodDeleted: podFact<"PodDeleted">({ tracked: isBoolean }),
  PodVanished: podFact<"PodVanished">({}),
  ParentObserved: clusterFact<"ParentObserved">({
    ...runFields,
    createdAt: isWhole,
    owner: optional(isOwner),
    labels: isTextRecord,
    fields: isTextRecord,
    conditions: list(
      object<ParentCondition>({
        type: isText,
        status: isText,
        reason: optional(isText),
        details: optional(isTextRecord),
        lastTransitionAt: optional(isWhole),
      }),
    ),
  }),
  ParentDeleted: clusterFact<"ParentDeleted">(runFields),
  NodeObserved: clusterFact<"NodeObserved">({
    node: isText,
    nodeUid: isText,
    ready: oneOf("True", "False", "Unknown"),
    since: isWhole,
    reason: optional(isText),
    unschedulable: optional(isTrue),
    taints: optional(list(isText)),
    labels: optional(isTextRecord),
    createdAt: optional(isWhole),
    lifecycle: optional(list(isNodeLifecycle)),
  }),
  NodeDeleted: clusterFact<"NodeDeleted">({ node: isText, nodeUid: isText }),
  CronJobObserved: clusterFact<"CronJobObserved">({
    ...cronJobFields,
    createdAt: isWhole,
    generation: isNumber,
    schedule: isText,
    timeZone: optional(isText),
    suspend: isBoolean,
    concurrencyPolicy: isText,
    startingDeadlineSeconds: optional(isNumber),
    successfulJobsHistoryLimit: optional(isNumber),
    failedJobsHistoryLimit: optional(isNumber),
    marks: optional(isTextRecord),
    lastScheduledAt: optional(isWhole),
    lastSuccessfulAt: optional(isWhole),
  }),
  CronJobDeleted: clusterFact<"CronJobDeleted">(cronJobFields),
  NamespaceObserved: clusterFact<"NamespaceObserved">({ ...namespaceFields, marks: optional(isTextRecord) }),
  NamespaceDeleted: clusterFact<"NamespaceDeleted">(namespaceFields),
  EventHinted: clusterFact<"EventHinted">({
    hintId: isText,
    target: isTarget,
    reason: isText,
    message: optional(isText),
    details: optional(isMessageDetails),
    source: optional(isText),
    type: optional(isText),
    count: isNumber,
    firstAt: isWhole,
    lastAt: isWhole,
  }),
  RequestHinted: clusterFact<"RequestHinted">({
    hintId: isText,
    target: isTarget,
    verb: isText,
    subresource: optional(isText),
    user: isText,
    userAgent: optional(isText),
    code: isNumber,
    requestedAt: isWhole,
  }),
  EvictionObserved: clusterFact<"EvictionObserved">({
    hintId: isText,
    of: oneOf("EvictionRequest", "Eviction"),
    name: isText,
    target: isTarget,
    createdAt: isWhole,
    requesters: list(object<EvictionRequester>({ name: isText, intent: isText })),
    conditions: list(
      object<EvictionCondition>({
        type: isText,
        status: isText,
        reason: optional(isText),
        lastTransitionAt: optional(isWhole),
      }),
    ),
    deleted: optional(isTrue),
  }),
  GapRecorded: clusterFact<"GapRecorded">({
    gapId: isText,
    from: isWhole,
    to: isWhole,
    resources: list(isText),
    reason: isText,
  }),
  ClusterObserved: clusterFact<"ClusterObserved">({
    kubeSystemUid: optional(isText),
    serverVersion: optional(isText),
    undated: optional(isTrue),
  }),
};
