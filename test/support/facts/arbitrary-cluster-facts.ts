import * as fc from "fast-check";
import { arbitraryMessageDetails } from "./arbitrary-message-details.ts";
import type { Fact, FactKind, JobFact, ParentCondition } from "../../../src/job/model/fact.ts";
import {
  arbitraryInstant,
  count,
  fact,
  type FactOf,
  flag,
  name,
  namespace,
  object,
  text,
  texts,
} from "./arbitrary-values.ts";

const target = object<FactOf<"EventHinted">["target"]>(
  { kind: fc.constantFrom("Job", "Pod", "Node", "CronJob", "JobSet"), namespace, name, uid: fc.oneof(fc.uuid(), text) },
  "uid",
);

const runFields = { of: text, namespace, name, uid: text, runUid: fc.uuid() };

/** A fact about objects other than Jobs and Pods, of each kind. */
export const CLUSTER_FACTS: { readonly [Kind in Exclude<FactKind, JobFact["kind"]>]: fc.Arbitrary<Fact> } = {
  ParentObserved: fact(
    "ParentObserved",
    {},
    {
      ...runFields,
      createdAt: arbitraryInstant,
      owner: object({ apiVersion: text, kind: text, name, uid: text }, "apiVersion"),
      labels: fc.dictionary(text, text, { maxKeys: 3 }),
      fields: fc.dictionary(text, text, { maxKeys: 3 }),
      conditions: fc.array(
        object<ParentCondition>(
          {
            type: text,
            status: text,
            reason: text,
            details: fc.dictionary(text, text, { maxKeys: 2 }),
            lastTransitionAt: arbitraryInstant,
          },
          "reason",
          "details",
          "lastTransitionAt",
        ),
        { maxLength: 3 },
      ),
    },
    "owner",
  ),
  ParentDeleted: fact("ParentDeleted", {}, runFields),
  NodeObserved: fact(
    "NodeObserved",
    {},
    {
      node: text,
      nodeUid: fc.uuid(),
      ready: fc.constantFrom("True", "False", "Unknown"),
      since: arbitraryInstant,
      reason: text,
      unschedulable: flag,
      taints: texts,
    },
    "reason",
    "unschedulable",
    "taints",
  ),
  NodeDeleted: fact("NodeDeleted", {}, { node: text, nodeUid: text }),
  CronJobObserved: fact(
    "CronJobObserved",
    {},
    {
      namespace,
      name,
      cronJobUid: fc.uuid(),
      createdAt: arbitraryInstant,
      generation: count,
      schedule: text,
      timeZone: text,
      suspend: fc.boolean(),
      concurrencyPolicy: text,
      startingDeadlineSeconds: count,
      successfulJobsHistoryLimit: count,
      failedJobsHistoryLimit: count,
      marks: fc.dictionary(text, text),
      lastScheduledAt: arbitraryInstant,
      lastSuccessfulAt: arbitraryInstant,
    },
    "timeZone",
    "startingDeadlineSeconds",
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
    "marks",
    "lastScheduledAt",
    "lastSuccessfulAt",
  ),
  CronJobDeleted: fact("CronJobDeleted", {}, { namespace, name, cronJobUid: text }),
  EventHinted: fact(
    "EventHinted",
    {},
    {
      hintId: text,
      target,
      reason: text,
      message: text,
      details: arbitraryMessageDetails,
      source: text,
      type: text,
      count,
      firstAt: arbitraryInstant,
      lastAt: arbitraryInstant,
    },
    "message",
    "details",
    "source",
    "type",
  ),
  RequestHinted: fact(
    "RequestHinted",
    {},
    {
      hintId: text,
      target,
      verb: text,
      subresource: text,
      user: text,
      userAgent: text,
      code: count,
      requestedAt: arbitraryInstant,
    },
    "subresource",
    "userAgent",
  ),
  GapRecorded: fact(
    "GapRecorded",
    {},
    {
      gapId: text,
      from: arbitraryInstant,
      to: arbitraryInstant,
      resources: texts,
      reason: text,
    },
  ),
  ClusterObserved: fact(
    "ClusterObserved",
    {},
    { kubeSystemUid: fc.uuid(), serverVersion: text },
    "kubeSystemUid",
    "serverVersion",
  ),
};
