import * as fc from "fast-check";
import { JOB_UID } from "../kubernetes/watch-objects.ts";

/** Any JSON value. */
export const anything = fc.jsonValue({ maxDepth: 4 });
/** Rare enough that most events are read completely, and frequent enough that most have an invalid part. */
const or = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 19, arbitrary: value }, { weight: 1, arbitrary: anything });
const time = or(
  fc.constantFrom(
    "2026-11-21T08:24:44Z",
    "1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
    "0001-01-01T00:00:00Z",
  ),
);
const count = or(fc.oneof(fc.maxSafeNat(), fc.integer(), fc.double()));
const text = or(fc.string({ unit: "binary", maxLength: 400 }));
const conditions = or(
  fc.array(
    or(
      fc.record({
        type: or(fc.constantFrom("Ready", "Complete", "Failed", "DisruptionTarget")),
        status: or(fc.constantFrom("True", "False")),
        reason: text,
        message: text,
        lastTransitionTime: time,
      }),
    ),
  ),
);
const state = or(
  fc.record(
    {
      running: or(fc.record({ startedAt: time })),
      waiting: or(fc.record({ reason: text, message: text })),
      terminated: or(
        fc.record({ exitCode: count, signal: count, reason: text, message: text, startedAt: time, finishedAt: time }),
      ),
    },
    { requiredKeys: [] },
  ),
);
const containers = or(
  fc.array(
    or(fc.record({ name: or(fc.constantFrom("work", "proxy")), state, lastState: state, restartCount: count })),
    { maxLength: 3 },
  ),
);
const metadata = or(
  fc.record({
    uid: or(fc.constant(JOB_UID)),
    name: or(fc.constant("report")),
    namespace: or(fc.constant("night")),
    resourceVersion: or(fc.constantFrom("1", "9007199254740991")),
    generation: count,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: count,
    labels: or(fc.dictionary(fc.string(), text)),
    annotations: or(
      fc.dictionary(
        fc.constantFrom(
          "batch.kubernetes.io/job-completion-index",
          "batch.kubernetes.io/job-tracking",
          "cronjob.kubernetes.io/instantiate",
        ),
        fc.oneof(text, fc.constant("manual")),
      ),
    ),
    finalizers: or(fc.array(text)),
    ownerReferences: or(
      fc.array(
        or(
          fc.record({
            apiVersion: fc.constant("batch/v1"),
            kind: fc.constant("Job"),
            name: text,
            uid: or(fc.constant(JOB_UID)),
            controller: or(fc.constant(true)),
          }),
        ),
        { maxLength: 2 },
      ),
    ),
  }),
);
const status = or(
  fc.record({
    phase: or(fc.constantFrom("Running", "Succeeded", "Failed")),
    reason: text,
    startTime: time,
    conditions,
    containerStatuses: containers,
    initContainerStatuses: containers,
    succeeded: count,
    completedIndexes: text,
    uncountedTerminatedPods: or(fc.record({ succeeded: or(fc.array(text)) })),
  }),
);
const spec = or(
  fc.record(
    {
      completions: count,
      nodeName: or(fc.constant("node-a")),
      containers,
      taints: or(fc.array(or(fc.record({ key: text, effect: text })))),
      schedule: text,
      podFailurePolicy: anything,
      successPolicy: anything,
      template: anything,
    },
    { requiredKeys: [] },
  ),
);
const object = or(
  fc.record(
    {
      kind: or(fc.constantFrom("Job", "Pod", "Node", "CronJob", "Event")),
      apiVersion: or(fc.constantFrom("v1", "batch/v1", "audit.k8s.io/v1")),
      metadata,
      spec,
      status,
      involvedObject: or(fc.record({ kind: fc.constant("Pod"), name: text })),
    },
    { requiredKeys: ["kind", "metadata"] },
  ),
);
/** Watch events that are mostly valid, with arbitrary values in some places. */
export const arbitraryWatchEvent = or(
  fc.record({ type: or(fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")), object }),
);
