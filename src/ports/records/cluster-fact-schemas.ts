import * as v from "valibot";
import {
  type ClusterObserved,
  type CronJobDeleted,
  type CronJobObserved,
  type GapRecorded,
  type HintFact,
  type NamespaceDeleted,
  type NamespaceObserved,
  NODE_LIFECYCLE_TYPES,
  type NodeDeleted,
  type NodeObserved,
} from "../../job/model/fact.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import { isResourceVersion } from "../../segment/fact-check.ts";

// The facts that records contain. `looseObject` keeps fields that a later release added.

const stamp = {
  epoch: v.number(),
  resourceVersion: v.custom<ResourceVersion>(isResourceVersion, "Invalid resourceVersion"),
  at: v.number(),
};

export const nodeObserved: v.GenericSchema<unknown, NodeObserved> = v.looseObject({
  ...stamp,
  kind: v.literal("NodeObserved"),
  node: v.string(),
  nodeUid: v.string(),
  ready: v.picklist(["True", "False", "Unknown"]),
  since: v.number(),
  reason: v.exactOptional(v.string()),
  unschedulable: v.exactOptional(v.literal(true)),
  taints: v.exactOptional(v.array(v.string())),
  labels: v.exactOptional(v.record(v.string(), v.string())),
  createdAt: v.exactOptional(v.number()),
  lifecycle: v.exactOptional(
    v.array(
      v.looseObject({
        type: v.picklist(NODE_LIFECYCLE_TYPES),
        status: v.picklist(["True", "False"]),
        since: v.number(),
        reason: v.exactOptional(v.string()),
      }),
    ),
  ),
});

export const nodeDeleted: v.GenericSchema<unknown, NodeDeleted> = v.looseObject({
  ...stamp,
  kind: v.literal("NodeDeleted"),
  node: v.string(),
  nodeUid: v.string(),
});

const cronJob = { namespace: v.string(), name: v.string(), cronJobUid: v.string() };

export const cronJobObserved: v.GenericSchema<unknown, CronJobObserved> = v.looseObject({
  ...stamp,
  kind: v.literal("CronJobObserved"),
  ...cronJob,
  createdAt: v.number(),
  generation: v.number(),
  schedule: v.string(),
  timeZone: v.exactOptional(v.string()),
  suspend: v.boolean(),
  concurrencyPolicy: v.string(),
  startingDeadlineSeconds: v.exactOptional(v.number()),
  successfulJobsHistoryLimit: v.exactOptional(v.number()),
  failedJobsHistoryLimit: v.exactOptional(v.number()),
  marks: v.exactOptional(v.record(v.string(), v.string())),
  lastScheduledAt: v.exactOptional(v.number()),
  lastSuccessfulAt: v.exactOptional(v.number()),
});

export const cronJobDeleted: v.GenericSchema<unknown, CronJobDeleted> = v.looseObject({
  ...stamp,
  kind: v.literal("CronJobDeleted"),
  ...cronJob,
});

const namespace = { namespace: v.string(), namespaceUid: v.string() };

export const namespaceObserved: v.GenericSchema<unknown, NamespaceObserved> = v.looseObject({
  ...stamp,
  kind: v.literal("NamespaceObserved"),
  ...namespace,
  marks: v.exactOptional(v.record(v.string(), v.string())),
});

export const namespaceDeleted: v.GenericSchema<unknown, NamespaceDeleted> = v.looseObject({
  ...stamp,
  kind: v.literal("NamespaceDeleted"),
  ...namespace,
});

const target = v.looseObject({
  kind: v.string(),
  namespace: v.string(),
  name: v.string(),
  uid: v.exactOptional(v.string()),
});

const eventHinted = v.looseObject({
  ...stamp,
  kind: v.literal("EventHinted"),
  hintId: v.string(),
  target,
  reason: v.string(),
  message: v.exactOptional(v.string()),
  source: v.exactOptional(v.string()),
  type: v.exactOptional(v.string()),
  count: v.number(),
  firstAt: v.number(),
  lastAt: v.number(),
});

const requestHinted = v.looseObject({
  ...stamp,
  kind: v.literal("RequestHinted"),
  hintId: v.string(),
  target,
  verb: v.string(),
  subresource: v.exactOptional(v.string()),
  user: v.string(),
  userAgent: v.exactOptional(v.string()),
  code: v.number(),
  requestedAt: v.number(),
});

const evictionObserved = v.looseObject({
  ...stamp,
  kind: v.literal("EvictionObserved"),
  hintId: v.string(),
  of: v.picklist(["EvictionRequest", "Eviction"]),
  name: v.string(),
  target,
  createdAt: v.number(),
  requesters: v.array(v.looseObject({ name: v.string(), intent: v.string() })),
  conditions: v.array(
    v.looseObject({
      type: v.string(),
      status: v.string(),
      reason: v.exactOptional(v.string()),
      lastTransitionAt: v.exactOptional(v.number()),
    }),
  ),
  deleted: v.exactOptional(v.literal(true)),
});

export const hintFact: v.GenericSchema<unknown, HintFact> = v.variant("kind", [
  eventHinted,
  requestHinted,
  evictionObserved,
]);

export const gapRecorded: v.GenericSchema<unknown, GapRecorded> = v.looseObject({
  ...stamp,
  kind: v.literal("GapRecorded"),
  gapId: v.string(),
  from: v.number(),
  to: v.number(),
  resources: v.array(v.string()),
  reason: v.string(),
});

export const clusterObserved: v.GenericSchema<unknown, ClusterObserved> = v.looseObject({
  ...stamp,
  kind: v.literal("ClusterObserved"),
  kubeSystemUid: v.exactOptional(v.string()),
  serverVersion: v.exactOptional(v.string()),
  undated: v.exactOptional(v.literal(true)),
});
