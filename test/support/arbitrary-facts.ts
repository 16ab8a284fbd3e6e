import * as fc from "fast-check";
import type { Fact, FactKind, JobFact, JobObjectFact, PodFact, Stamp } from "../../src/job/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../../src/job/ids.ts";
import type { Instant } from "../../src/job/instant.ts";
import type { JobSpec } from "../../src/job/job-spec.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../src/job/order.ts";
import type { Condition, ReportedStatus } from "../../src/job/reported-status.ts";

/** Facts of every kind, with few uids and few orders, so that facts meet: at the same place, at the same stamp, of the same Job. */

type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;
type OwnFields<Kind extends FactKind> = Omit<FactOf<Kind>, keyof Stamp | "kind" | "jobUid" | "podUid">;
type ArbitraryFields<Fields> = { readonly [Field in keyof Fields]-?: fc.Arbitrary<Fields[Field]> };

/** An object of these fields; those named in `maybe` may be absent. */
function object<Fields>(fields: ArbitraryFields<Fields>, ...maybe: readonly (keyof Fields & string)[]) {
  const requiredKeys = Object.keys(fields).filter((key) => !(maybe as readonly string[]).includes(key));
  return fc.record<Record<string, unknown>>(fields, {
    requiredKeys,
    noNullPrototype: true,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<Fields>;
}

const jobUids = [
  "1c0a8c70-6c5b-4a52-9a0e-000000000001",
  "1c0a8c70-6c5b-4a52-9a0e-000000000002",
  "f7f2a4de-8d7b-4c1e-b7de-000000000003",
].map((text) => decodeJobUid(text) as JobUid);
const podUids = [
  "0a7c3b1e-1111-4222-8333-00000000000a",
  "0a7c3b1e-1111-4222-8333-00000000000b",
  "0a7c3b1e-1111-4222-8333-00000000000c",
  "virtual-kubelet/pod-4",
].map((text) => decodePodUid(text) as PodUid);

const arbitraryJobUid: fc.Arbitrary<JobUid> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...jobUids) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: fc.constantFrom("a", "-", "!", "=", "~"), minLength: 1, maxLength: 40 })
      .map((text) => decodeJobUid(text) as JobUid),
  },
);
const arbitraryPodUid: fc.Arbitrary<PodUid> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...podUids) },
  { weight: 1, arbitrary: fc.uuid().map((text) => decodePodUid(text) as PodUid) },
);

const arbitraryResourceVersion: fc.Arbitrary<ResourceVersion> = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 1, arbitrary: fc.maxSafeNat().map((n) => Math.max(1, n)) },
  )
  .map((number) => decodeResourceVersion(String(number)) as ResourceVersion);

const NOON = Date.UTC(2026, 10, 21, 12);
const arbitraryInstant: fc.Arbitrary<Instant> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 60 }).map((seconds) => NOON + seconds * 1000) },
  { weight: 2, arbitrary: fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }) },
);

const stamp: ArbitraryFields<Stamp> = {
  epoch: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) }),
  resourceVersion: arbitraryResourceVersion,
  at: arbitraryInstant,
};

const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "",
      "a",
      "main",
      "- x",
      "=a",
      "!b",
      "Reached expected number of succeeded pods",
      "10.0.0.1",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.uuid() },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.uuid(), fc.constantFrom("", "#", "#ResponseComplete")).map((parts) => parts.join("")),
  },
);
const name = fc.oneof(
  fc.constantFrom("nightly", "nightly-x7k2p", "nightly-", "nightly-x7k2p-0", "report", "-", "=nightly"),
  text,
);
const namespace = fc.constantFrom("default", "batch", "mixed");
const count = fc.oneof(fc.nat({ max: 3 }), fc.maxSafeNat());
const flag = fc.constant(true as const);
const texts = fc.array(text, { maxLength: 3 });
/** Labels: keys that look like numbers, and one that JavaScript treats apart, have an order of their own in objects. */
const labels = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom("app", "10", "9", "-1", "name", "node", "__proto__"), fc.string()), text), {
    maxLength: 4,
  })
  .map((entries): Readonly<Record<string, string>> => Object.fromEntries(entries));

const condition = object<Condition>(
  {
    type: fc.constantFrom("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget", "Suspended"),
    status: fc.constantFrom("True", "False", "Unknown"),
    reason: text,
    message: text,
    lastTransitionAt: arbitraryInstant,
  },
  "reason",
  "message",
  "lastTransitionAt",
);
const conditions = fc.array(condition, { maxLength: 3 });

const spec = object<JobSpec>(
  {
    parallelism: count,
    completions: count,
    completionMode: fc.constantFrom("NonIndexed", "Indexed"),
    backoffLimit: count,
    backoffLimitPerIndex: count,
    maxFailedIndexes: count,
    activeDeadlineSeconds: count,
    ttlSecondsAfterFinished: count,
    suspend: fc.boolean(),
    podReplacementPolicy: fc.constantFrom("TerminatingOrFailed", "Failed"),
    podFailurePolicy: fc.constant({
      rules: [
        { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [42, 43] } },
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      ],
    }),
    successPolicy: fc.constant({ rules: [{ succeededIndexes: "0,2-4", succeededCount: 2 }, {}] }),
    managedBy: text,
    restartPolicy: fc.constantFrom("Never", "OnFailure"),
    podActiveDeadlineSeconds: count,
  },
  "completions",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
  "activeDeadlineSeconds",
  "ttlSecondsAfterFinished",
  "podReplacementPolicy",
  "podFailurePolicy",
  "successPolicy",
  "managedBy",
  "podActiveDeadlineSeconds",
);
const mutable = spec.map(({ parallelism, completions, suspend, activeDeadlineSeconds, ttlSecondsAfterFinished }) => ({
  parallelism,
  suspend,
  ...(completions !== undefined && { completions }),
  ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
  ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
}));

const uncounted = object<NonNullable<ReportedStatus["uncounted"]>>(
  {
    succeeded: fc.array(arbitraryPodUid, { maxLength: 3 }),
    failed: fc.array(arbitraryPodUid, { maxLength: 3 }),
    succeededBeyond: count,
    failedBeyond: count,
  },
  "succeededBeyond",
  "failedBeyond",
);
const status = object<ReportedStatus>(
  {
    active: count,
    ready: count,
    terminating: count,
    succeeded: count,
    failed: count,
    completedIndexes: fc.constantFrom("", "0-3,7", "0-99999"),
    failedIndexes: fc.constantFrom("5", "1,2"),
    startTime: arbitraryInstant,
    completionTime: arbitraryInstant,
    conditions,
    uncounted,
    truncated: flag,
  },
  "active",
  "ready",
  "terminating",
  "succeeded",
  "failed",
  "completedIndexes",
  "failedIndexes",
  "startTime",
  "completionTime",
  "uncounted",
  "truncated",
);

function jobFact<Kind extends JobObjectFact["kind"]>(
  kind: Kind,
  fields: ArbitraryFields<OwnFields<Kind>>,
  ...maybe: readonly (keyof OwnFields<Kind> & string)[]
): fc.Arbitrary<JobObjectFact> {
  const all = { ...stamp, kind: fc.constant(kind), jobUid: arbitraryJobUid, ...fields };
  return object(all as unknown as ArbitraryFields<FactOf<Kind>>, ...maybe) as fc.Arbitrary<JobObjectFact>;
}

function podFact<Kind extends PodFact["kind"]>(
  kind: Kind,
  fields: ArbitraryFields<OwnFields<Kind>>,
  ...maybe: readonly (keyof OwnFields<Kind> & string)[]
): fc.Arbitrary<PodFact> {
  const all = { ...stamp, kind: fc.constant(kind), jobUid: arbitraryJobUid, podUid: arbitraryPodUid, ...fields };
  return object(
    all as unknown as ArbitraryFields<FactOf<Kind>>,
    ...maybe,
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<PodFact>;
}

function clusterFact<Kind extends Exclude<FactKind, JobFact["kind"]>>(
  kind: Kind,
  fields: ArbitraryFields<OwnFields<Kind>>,
  ...maybe: readonly (keyof OwnFields<Kind> & string)[]
): fc.Arbitrary<Fact> {
  const all = { ...stamp, kind: fc.constant(kind), ...fields };
  return object(
    all as unknown as ArbitraryFields<FactOf<Kind>>,
    ...maybe,
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<Fact>;
}

const target = object<FactOf<"EventHinted">["target"]>(
  { kind: fc.constantFrom("Job", "Pod", "Node", "CronJob"), namespace, name, uid: fc.oneof(fc.uuid(), text) },
  "uid",
);

const JOB_OBJECT_FACTS: { readonly [Kind in JobObjectFact["kind"]]: fc.Arbitrary<JobObjectFact> } = {
  JobCreated: jobFact(
    "JobCreated",
    {
      namespace,
      name,
      createdAt: arbitraryInstant,
      labels,
      owner: object<NonNullable<FactOf<"JobCreated">["owner"]>>({ kind: text, name, uid: fc.oneof(fc.uuid(), text) }),
      scheduledAt: arbitraryInstant,
      truncated: flag,
    },
    "owner",
    "scheduledAt",
    "truncated",
  ),
  JobSpecified: jobFact("JobSpecified", { generation: fc.nat({ max: 4 }), spec }),
  JobReported: jobFact("JobReported", { status, generation: fc.nat({ max: 4 }), mutable }),
  JobTracked: jobFact("JobTracked", {}),
  JobUntracked: jobFact("JobUntracked", {}),
  JobFinished: jobFact("JobFinished", { condition }),
  JobDeletionRequested: jobFact("JobDeletionRequested", { requestedAt: arbitraryInstant, finalizers: texts }),
  JobDeleted: jobFact("JobDeleted", {}),
  JobVanished: jobFact("JobVanished", {}),
};

const POD_FACTS: { readonly [Kind in PodFact["kind"]]: fc.Arbitrary<PodFact> } = {
  PodCreated: podFact(
    "PodCreated",
    {
      namespace,
      name,
      createdAt: arbitraryInstant,
      index: count,
      indexFailureCount: count,
      indexIgnoredFailureCount: count,
      activeDeadlineSeconds: count,
      containers: texts,
      sidecars: texts,
      truncated: flag,
    },
    "index",
    "indexFailureCount",
    "indexIgnoredFailureCount",
    "activeDeadlineSeconds",
    "sidecars",
    "truncated",
  ),
  PodTracked: podFact("PodTracked", {}),
  PodUntracked: podFact("PodUntracked", {}),
  PodScheduled: podFact("PodScheduled", { node: text, scheduledAt: arbitraryInstant }, "scheduledAt"),
  PodStarted: podFact("PodStarted", { startedAt: arbitraryInstant }, "startedAt"),
  PodObserved: podFact(
    "PodObserved",
    {
      phase: fc.constantFrom("Pending", "Running", "Unknown", ""),
      ready: fc.boolean(),
      restarts: count,
      waiting: object<NonNullable<FactOf<"PodObserved">["waiting"]>>(
        { container: text, reason: text, message: text },
        "message",
      ),
      running: texts,
      unreadySince: arbitraryInstant,
    },
    "waiting",
    "running",
    "unreadySince",
  ),
  PodTerminated: podFact(
    "PodTerminated",
    {
      phase: fc.constantFrom("Succeeded", "Failed"),
      reason: text,
      message: text,
      conditions,
      tracked: fc.boolean(),
      stillRunning: texts,
      truncated: flag,
    },
    "reason",
    "message",
    "stillRunning",
    "truncated",
  ),
  ContainerEnded: podFact(
    "ContainerEnded",
    {
      container: fc.constantFrom("main", "setup"),
      init: flag,
      restartCount: fc.nat({ max: 3 }),
      exitCode: fc.integer({ min: -1, max: 255 }),
      signal: count,
      reason: fc.constantFrom("Completed", "Error", "ContainerStatusUnknown"),
      message: text,
      startedAt: arbitraryInstant,
      finishedAt: arbitraryInstant,
    },
    "init",
    "signal",
    "reason",
    "message",
    "startedAt",
    "finishedAt",
  ),
  PodDisrupted: podFact(
    "PodDisrupted",
    { reason: text, message: text, disruptedAt: arbitraryInstant },
    "message",
    "disruptedAt",
  ),
  PodDeletionRequested: podFact("PodDeletionRequested", {
    requestedAt: arbitraryInstant,
    graceSeconds: count,
    phase: text,
    tracked: fc.boolean(),
  }),
  PodReleased: podFact("PodReleased", {}),
  PodDeleted: podFact("PodDeleted", { tracked: fc.boolean() }),
  PodVanished: podFact("PodVanished", {}),
};

const CLUSTER_FACTS: { readonly [Kind in Exclude<FactKind, JobFact["kind"]>]: fc.Arbitrary<Fact> } = {
  NodeObserved: clusterFact(
    "NodeObserved",
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
  NodeDeleted: clusterFact("NodeDeleted", { node: text, nodeUid: text }),
  CronJobObserved: clusterFact(
    "CronJobObserved",
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
      lastScheduledAt: arbitraryInstant,
      lastSuccessfulAt: arbitraryInstant,
    },
    "timeZone",
    "startingDeadlineSeconds",
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
    "lastScheduledAt",
    "lastSuccessfulAt",
  ),
  CronJobDeleted: clusterFact("CronJobDeleted", { namespace, name, cronJobUid: text }),
  EventHinted: clusterFact(
    "EventHinted",
    {
      hintId: text,
      target,
      reason: text,
      message: text,
      source: text,
      type: text,
      count,
      firstAt: arbitraryInstant,
      lastAt: arbitraryInstant,
    },
    "message",
    "source",
    "type",
  ),
  RequestHinted: clusterFact(
    "RequestHinted",
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
  GapRecorded: clusterFact("GapRecorded", {
    gapId: text,
    from: arbitraryInstant,
    to: arbitraryInstant,
    resources: texts,
    reason: text,
  }),
  ClusterObserved: clusterFact(
    "ClusterObserved",
    { kubeSystemUid: fc.uuid(), serverVersion: text },
    "kubeSystemUid",
    "serverVersion",
  ),
};

/** A fact about a Job object. */
const arbitraryJobObjectFact: fc.Arbitrary<JobObjectFact> = fc.oneof(...Object.values(JOB_OBJECT_FACTS));
/** A fact about a Pod of a Job. */
const arbitraryPodFact: fc.Arbitrary<PodFact> = fc.oneof(...Object.values(POD_FACTS));
/** A fact that belongs to a Job's record. */
const arbitraryJobFact: fc.Arbitrary<JobFact> = fc.oneof(arbitraryJobObjectFact, arbitraryPodFact);
/** A fact of any kind. */
export const arbitraryFact: fc.Arbitrary<Fact> = fc.oneof(
  { weight: 4, arbitrary: arbitraryJobFact },
  { weight: 1, arbitrary: fc.oneof(...Object.values(CLUSTER_FACTS)) },
);
/** One arbitrary for each kind of fact, by its name. */
export const arbitraryFactOfKind: Readonly<Record<FactKind, fc.Arbitrary<Fact>>> = {
  ...JOB_OBJECT_FACTS,
  ...POD_FACTS,
  ...CLUSTER_FACTS,
};
