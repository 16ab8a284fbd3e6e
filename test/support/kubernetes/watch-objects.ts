import type { Fact, FactKind } from "../../../src/job/model/fact.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";

interface Fields {
  readonly [field: string]: unknown;
}

/** Changes of an object, field by field within its three parts. */
type Overlay = Partial<Record<"metadata" | "spec" | "status", Fields>> & Fields;

export const JOB_UID = "ca8e0acc-ce14-42ad-ad63-86bbb4cf14f3";
export const POD_UID = "9e4eb3b6-b86a-4141-a180-937f594b1208";
export const TRACKING_FINALIZER = "batch.kubernetes.io/job-tracking";

/** A Job of the API server of 1.36 before its first sync. */
export function jobObject({ metadata, spec, status, ...fields }: Overlay = {}): Fields {
  return {
    kind: "Job",
    apiVersion: "batch/v1",
    metadata: {
      name: "report",
      namespace: "night",
      uid: JOB_UID,
      resourceVersion: "712",
      generation: 1,
      creationTimestamp: "2026-11-21T08:24:44Z",
      labels: { app: "report" },
      ...metadata,
    },
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: "TerminatingOrFailed",
      template: { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work:1" }] } },
      ...spec,
    },
    status: { ...status },
    ...fields,
  };
}

/** A new Pod of that Job. */
export function podObject({ metadata, spec, status, ...fields }: Overlay = {}): Fields {
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: "report-2vxzf",
      namespace: "night",
      uid: POD_UID,
      resourceVersion: "715",
      creationTimestamp: "2026-11-21T08:24:44Z",
      labels: { "batch.kubernetes.io/controller-uid": JOB_UID, "controller-uid": JOB_UID },
      ownerReferences: [ownedByJob()],
      finalizers: [TRACKING_FINALIZER],
      ...metadata,
    },
    spec: { containers: [{ name: "work", image: "work:1" }], restartPolicy: "Never", ...spec },
    status: { phase: "Pending", ...status },
    ...fields,
  };
}

/** A request to evict that Pod, as the API server of 1.37 shows it. */
export function evictionRequest({ metadata, spec, status, ...fields }: Overlay = {}): Fields {
  return {
    kind: "EvictionRequest",
    apiVersion: "lifecycle.k8s.io/v1alpha1",
    metadata: {
      name: "move-report",
      namespace: "night",
      uid: "e1f00000-0000-4000-8000-000000000001",
      resourceVersion: "730",
      generation: 1,
      creationTimestamp: "2026-11-21T08:30:00Z",
      ...metadata,
    },
    spec: {
      target: { pod: { name: "report-2vxzf", uid: POD_UID } },
      requester: "acme.io/rebalancer",
      intent: "Eviction",
      ...spec,
    },
    status: { ...status },
    ...fields,
  };
}

export function ownedByJob(reference: Fields = {}): Fields {
  return { apiVersion: "batch/v1", kind: "Job", name: "report", uid: JOB_UID, controller: true, ...reference };
}

export function added(object: Fields): Fields {
  return { type: "ADDED", object };
}

export function deleted(object: Fields): Fields {
  return { type: "DELETED", object };
}

/** The facts of an event, which must have some. */
export function factsOf(event: unknown, options: Parameters<typeof translate>[1] = {}): readonly Fact[] {
  const translated = translate(event, options);
  if (translated.outcome !== "translated") throw new Error(`The event is ${JSON.stringify(translated)}.`);
  return translated.facts;
}

/** The facts of one kind, without their stamp. */
export function toldOf<Kind extends FactKind>(
  kind: Kind,
  event: unknown,
  options: Parameters<typeof translate>[1] = {},
): readonly Partial<Extract<Fact, { kind: Kind }>>[] {
  return factsOf(event, options)
    .filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind)
    .map((fact) => {
      const told = Object.entries(fact).filter(([field]) => !STAMP_FIELDS.includes(field));
      return Object.fromEntries(told) as Partial<Extract<Fact, { kind: Kind }>>;
    });
}

const STAMP_FIELDS = ["kind", "epoch", "resourceVersion", "at", "jobUid", "podUid"];

export function kindsOf(event: unknown): readonly FactKind[] {
  return factsOf(event).map(({ kind }) => kind);
}
