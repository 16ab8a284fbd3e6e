import { DEFAULT_OPTIONS, type TextOptions } from "../translate/translated.ts";
import { type AddedKinds, LINEAGE_KEYS } from "../../parents/kinds.ts";
import { WATCHED_STATUSES } from "../../parents/status/statuses.ts";
import type { WatchedStatus } from "../../parents/status/watched-status.ts";
import { slimMessages } from "./slim-messages.ts";
import { cutImageId, hashedImage } from "../translate/image-hash.ts";
import { isOwnKey } from "../../parents/own-keys.ts";
import { fieldsOf, isObject, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";

/**
 * The fields to keep: `true` for whole values, a function for what replaces a value, an object for selected fields. In
 * lists they apply to each item.
 */
type KeptFields = true | ((value: unknown) => unknown) | KeptBody;
interface KeptBody {
  readonly [field: string]: KeptFields;
}

const OWNER: KeptFields = { apiVersion: true, kind: true, name: true, uid: true, controller: true };
const METADATA: KeptFields = {
  name: true,
  namespace: true,
  uid: true,
  resourceVersion: true,
  generation: true,
  creationTimestamp: true,
  deletionTimestamp: true,
  deletionGracePeriodSeconds: true,
  labels: true,
  finalizers: true,
  ownerReferences: OWNER,
};
const CONDITION: KeptFields = { type: true, status: true, reason: true, message: true, lastTransitionTime: true };
/** slim-messages.ts later replaces `message` with the details parsed from it. */
const RUN: KeptFields = {
  exitCode: true,
  signal: true,
  reason: true,
  message: true,
  startedAt: true,
  finishedAt: true,
};
const RESOURCES: KeptFields = { requests: true, limits: true };
const IN_EFFECT = { allocatedResources: true, resources: { requests: true, limits: { memory: true } } } as const;
const CONTAINER_STATUS: KeptFields = {
  name: true,
  restartCount: true,
  imageID: cutImageId,
  state: { running: { startedAt: true }, waiting: { reason: true, message: true }, terminated: RUN },
  lastState: { terminated: RUN },
  ...IN_EFFECT,
  allocatedResourcesStatus: { name: true, resources: { resourceID: true, health: true } },
};
const RESTART = { restartPolicy: true, restartPolicyRules: { action: true } } as const;
/** A condition without its message. */
const STATE: KeptFields = { type: true, status: true, reason: true, lastTransitionTime: true };
/** The Pod to evict. */
const TARGET = { target: { pod: { name: true, uid: true } } } as const;
/** The labels and annotations that name what a Job belongs to. */
const LINEAGE = onlyTexts(LINEAGE_KEYS);
const POD_RESOURCES = {
  resources: RESOURCES,
  containers: { name: true, resources: RESOURCES },
  initContainers: { name: true, restartPolicy: true, resources: RESOURCES },
} as const;
const JOB_TEMPLATE = {
  metadata: LINEAGE,
  spec: {
    restartPolicy: true,
    activeDeadlineSeconds: true,
    ...POD_RESOURCES,
    containers: { ...POD_RESOURCES.containers, image: hashedImage },
    initContainers: { ...POD_RESOURCES.initContainers, image: hashedImage },
  },
} as const;
const JOB_SPEC = {
  parallelism: true,
  completions: true,
  completionMode: true,
  backoffLimit: true,
  backoffLimitPerIndex: true,
  maxFailedIndexes: true,
  activeDeadlineSeconds: true,
  ttlSecondsAfterFinished: true,
  suspend: true,
  podReplacementPolicy: true,
  podFailurePolicy: true,
  successPolicy: true,
  managedBy: true,
  template: JOB_TEMPLATE,
} as const;

/** The fields per kind, besides kind, apiVersion and metadata: those that `translate` reads (docs/facts.md). */
const BODIES: ReadonlyMap<string, KeptBody> = new Map<string, KeptBody>([
  [
    "Job",
    {
      spec: JOB_SPEC,
      status: {
        active: true,
        ready: true,
        terminating: true,
        succeeded: true,
        failed: true,
        startTime: true,
        completionTime: true,
        completedIndexes: true,
        failedIndexes: true,
        uncountedTerminatedPods: { succeeded: true, failed: true },
        conditions: CONDITION,
      },
    },
  ],
  [
    "Pod",
    {
      spec: {
        nodeName: true,
        restartPolicy: true,
        activeDeadlineSeconds: true,
        overhead: true,
        ...POD_RESOURCES,
        containers: { ...POD_RESOURCES.containers, ...RESTART },
        initContainers: { ...POD_RESOURCES.initContainers, ...RESTART },
        schedulingGroup: { podGroupName: true },
        schedulingGates: { name: true },
      },
      status: {
        phase: true,
        reason: true,
        message: true,
        startTime: true,
        ...IN_EFFECT,
        conditions: CONDITION,
        containerStatuses: CONTAINER_STATUS,
        initContainerStatuses: CONTAINER_STATUS,
      },
    },
  ],
  [
    "CronJob",
    {
      spec: {
        schedule: true,
        timeZone: true,
        suspend: true,
        concurrencyPolicy: true,
        startingDeadlineSeconds: true,
        successfulJobsHistoryLimit: true,
        failedJobsHistoryLimit: true,
      },
      status: { lastScheduleTime: true, lastSuccessfulTime: true },
    },
  ],
  [
    "Node",
    {
      spec: { unschedulable: true, taints: { key: true, value: true, effect: true } },
      status: { conditions: CONDITION },
    },
  ],
  ["Namespace", {}],
  ["EvictionRequest", { spec: { ...TARGET, requester: true, intent: true }, status: { conditions: STATE } }],
  ["Eviction", { spec: TARGET, status: { requesters: { name: true, intent: true }, conditions: STATE } }],
  ...WATCHED_STATUSES.map((of) => [of.kind, keptOf(of)] as const),
  [
    "Event",
    {
      involvedObject: { kind: true, namespace: true, name: true, uid: true, fieldPath: true },
      reason: true,
      message: true,
      source: { component: true },
      reportingComponent: true,
      type: true,
      count: true,
      series: { count: true, lastObservedTime: true },
      eventTime: true,
      firstTimestamp: true,
      lastTimestamp: true,
    },
  ],
]);

/** The fields that the kind names, below `spec` and `status`, and the conditions. */
function keptOf({ fields }: WatchedStatus): { readonly [field: string]: KeptFields } {
  const kept: Record<string, Record<string, KeptFields>> = { spec: {}, status: { conditions: CONDITION } };
  for (const path of Object.values(fields)) {
    const [top = "", field = "", ...below] = typeof path === "string" ? path.split(".") : path;
    const part = below.reduceRight<KeptFields>((inner, name) => ({ [name]: inner }), true);
    const parts = kept[top];
    if (parts !== undefined) parts[field] = part;
  }
  return kept;
}

/**
 * Reduces an object to the fields that its facts need: no environment, commands, names of images, addresses, other
 * annotations or program output. It translates to the same facts as the whole object. `undefined` for kinds without
 * facts.
 */
export function slimObject(kind: string, object: JsonObject, texts: Partial<TextOptions> = {}): JsonObject | undefined {
  const body = BODIES.get(kind);
  if (body === undefined) return undefined;
  const { kinds } = texts;
  const { apiVersion } = object;
  return {
    kind,
    ...(apiVersion !== undefined && { apiVersion }),
    metadata: slimMetadata(metadataOf(kind, object), kinds?.keys),
    ...slimMessages(kind, fieldsOf(kept(object, bodyWith(body, kinds))), { ...DEFAULT_OPTIONS, ...texts }),
  };
}

/** Of the labels of a namespace, only those for Outlive are kept. */
function metadataOf(kind: string, { metadata }: JsonObject): JsonObject {
  const fields = fieldsOf(metadata);
  if (kind !== "Namespace") return fields;
  return {
    ...fields,
    labels: Object.fromEntries(Object.entries(fieldsOf(fields["labels"])).filter(([key]) => isOwnKey(key))),
  };
}

/** What added kinds read in a Pod template is kept too. */
function bodyWith(body: KeptBody, kinds: AddedKinds | undefined): KeptBody {
  if (kinds === undefined || body["spec"] !== JOB_SPEC) return body;
  const metadata = onlyTexts(new Set([...LINEAGE_KEYS, ...kinds.keys]));
  return { ...body, spec: { ...JOB_SPEC, template: { ...JOB_TEMPLATE, metadata } } };
}

/**
 * Keeps the annotations of Kubernetes' own controllers, that of Kueue's queue, those that name what a Job belongs to
 * and those for Outlive, and only the latest time of the field managers.
 */
function slimMetadata(metadata: JsonObject, added: ReadonlySet<string> = new Set()): JsonObject {
  const annotations = Object.entries(fieldsOf(metadata["annotations"])).filter(
    ([key]) =>
      OWN_ANNOTATIONS.some((prefix) => key.startsWith(prefix)) ||
      key === QUEUE_NAME ||
      isOwnKey(key) ||
      LINEAGE_KEYS.has(key) ||
      added.has(key),
  );
  const times = itemsOf(metadata["managedFields"]).flatMap((entry) => textOf(fieldsOf(entry)["time"]) ?? []);
  const latest = times.sort().at(-1);
  return {
    ...fieldsOf(kept(metadata, METADATA)),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    ...(latest !== undefined && { managedFields: [{ time: latest }] }),
  };
}

const OWN_ANNOTATIONS = ["batch.kubernetes.io/", "cronjob.kubernetes.io/"];
/** Early releases of Kueue read it; later ones read the label. */
const QUEUE_NAME = "kueue.x-k8s.io/queue-name";

function onlyTexts(keys: ReadonlySet<string>): KeptFields {
  const texts = Object.fromEntries([...keys].map((key) => [key, true] as const));
  return { labels: texts, annotations: texts };
}

function kept(value: unknown, fields: KeptFields): unknown {
  if (fields === true) return value;
  if (typeof fields === "function") return fields(value);
  if (Array.isArray(value)) return value.map((item) => kept(item, fields));
  if (!isObject(value)) return undefined;
  const slim: Record<string, unknown> = {};
  for (const [field, below] of Object.entries(fields)) {
    const part = kept(value[field], below);
    if (part !== undefined) slim[field] = part;
  }
  return slim;
}
