import * as fc from "fast-check";
import type { ContainerImage, JobObjectFact } from "../../../src/job/model/fact.ts";
import type { JobSpec } from "../../../src/job/model/job-spec.ts";
import type { Condition, ReportedStatus } from "../../../src/job/model/reported-status.ts";
import { arbitraryPolicyDetails } from "./arbitrary-message-details.ts";
import {
  arbitraryInstant,
  arbitraryJobUid,
  arbitraryPodUid,
  count,
  fact,
  type FactOf,
  flag,
  labels,
  name,
  namespace,
  object,
  podCondition,
  text,
  texts,
} from "./arbitrary-values.ts";

const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: podCondition },
  {
    weight: 1,
    arbitrary: fc.tuple(podCondition, arbitraryPolicyDetails).map(([known, details]) => ({ ...known, details })),
  },
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
    resources: text,
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
  "resources",
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

/** The fields of each kind. */
const JOB = { jobUid: arbitraryJobUid };

/** A fact about a Job object, of each kind. */
export const JOB_OBJECT_FACTS: { readonly [Kind in JobObjectFact["kind"]]: fc.Arbitrary<JobObjectFact> } = {
  JobCreated: fact(
    "JobCreated",
    JOB,
    {
      namespace,
      name,
      createdAt: arbitraryInstant,
      labels,
      marks: labels,
      owner: object<NonNullable<FactOf<"JobCreated">["owner"]>>(
        { apiVersion: text, kind: text, name, uid: fc.oneof(fc.uuid(), text) },
        "apiVersion",
      ),
      scheduledAt: arbitraryInstant,
      manual: flag,
      truncated: flag,
    },
    "marks",
    "owner",
    "manual",
    "scheduledAt",
    "truncated",
  ),
  JobSpecified: fact(
    "JobSpecified",
    JOB,
    {
      generation: fc.nat({ max: 4 }),
      spec,
      images: fc.array(object<ContainerImage>({ container: name, image: text }), { minLength: 1, maxLength: 2 }),
    },
    "images",
  ),
  JobReported: fact(
    "JobReported",
    JOB,
    { status, generation: fc.nat({ max: 4 }), mutable, queueName: text },
    "queueName",
  ),
  JobTracked: fact("JobTracked", JOB, {}),
  JobUntracked: fact("JobUntracked", JOB, {}),
  JobFinished: fact("JobFinished", JOB, { condition }),
  JobDeletionRequested: fact("JobDeletionRequested", JOB, { requestedAt: arbitraryInstant, finalizers: texts }),
  JobDeleted: fact("JobDeleted", JOB, {}),
  JobVanished: fact("JobVanished", JOB, {}),
};
