import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { parseInstant } from "../../../src/job/model/instant.ts";
import { answerRecord } from "../../../src/explain/present-job.ts";
import { foldJobs, type JobRecord } from "../../../src/job/model/job-record.ts";
import { translate } from "../../../src/kubernetes/translate/translate.ts";
import type { CasePod } from "./conformance-case.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The part of a case that describes its Job object. */
export interface CaseJob {
  readonly jobSpec: Fields;
  readonly priorStatus?: Fields;
  readonly jobDeletionTimestamp?: string;
  /** Counting cases have no completions. */
  readonly isWorkQueue: boolean;
}
export type CaseEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: CasePod }
  | { readonly type: "JOB_MODIFIED"; readonly specPatch: Fields };

const JOB_UID = "00000000-0000-4000-8000-000000000001";
const CASE_NOW = parseInstant("2025-01-01T12:00:00Z") ?? 0;

/** The facts of a case: the stored Job, then its events in order. */
export function factsOfCase(job: CaseJob, events: readonly CaseEvent[]): readonly Fact[] {
  let version = 1000;
  let spec = storedSpec(job);
  const stamped = (type: string, object: { readonly metadata: Fields }): unknown => {
    version += 1;
    return { type, object: { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } } };
  };
  const watched = [stamped("ADDED", jobObject(job, spec))];
  for (const event of events) {
    if ("pod" in event) watched.push(stamped(event.type, podObject(event.pod, spec)));
    else {
      spec = { ...spec, ...event.specPatch };
      watched.push(stamped("MODIFIED", jobObject(job, spec)));
    }
  }
  return watched.flatMap((event) => {
    const translated = translate(event);
    if (translated.outcome === "translated") return translated.facts;
    throw new Error(`A case's event was not translated: ${translated.outcome}`);
  });
}

function recordOfFacts(facts: readonly Fact[]): JobRecord {
  const [record] = foldJobs(facts).values();
  if (record === undefined) throw new Error("The facts are of no Job.");
  return record;
}

export function answerOfFacts(facts: readonly Fact[], now = CASE_NOW): JobAnswer {
  const clusterContext = { nodes: new Map(), hints: new Map(), gaps: [] };
  return answerRecord(recordOfFacts(facts), { cluster: "conformance", clusterContext, now });
}

/** The status if these Pods of a work queue are observed together. */
export function statusOfPods(jobSpec: object, priorStatus: object, pods: readonly CasePod[]): JobAnswer["status"] {
  const job = { jobSpec: { ...jobSpec }, priorStatus: { ...priorStatus }, isWorkQueue: true };
  const events = pods.map((pod): CaseEvent => ({ type: "ADDED", pod }));
  return answerOfFacts(factsOfCase(job, events)).status;
}

/** With the API server's defaults. */
function storedSpec({ jobSpec, isWorkQueue }: CaseJob): Fields {
  const template = jobSpec["template"] as { readonly spec?: Fields } | undefined;
  const limitsIndexes = jobSpec["backoffLimitPerIndex"] !== undefined;
  const isOnce = !isWorkQueue && jobSpec["parallelism"] === undefined && jobSpec["completions"] === undefined;
  return {
    ...(isOnce && { completions: 1 }),
    parallelism: 1,
    backoffLimit: limitsIndexes ? 2_147_483_647 : 6,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: jobSpec["podFailurePolicy"] === undefined ? "TerminatingOrFailed" : "Failed",
    ...jobSpec,
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example/main" }], ...template?.spec },
    },
  };
}

function jobObject(
  { priorStatus, jobDeletionTimestamp }: CaseJob,
  spec: Fields,
): { readonly metadata: Fields } & Fields {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: "job",
      namespace: "default",
      uid: JOB_UID,
      generation: 1,
      creationTimestamp: "2025-01-01T11:00:00Z",
      ...(jobDeletionTimestamp !== undefined && { deletionTimestamp: jobDeletionTimestamp }),
    },
    spec,
    status: priorStatus ?? {},
  };
}

function podObject(pod: CasePod, jobSpec: Fields): { readonly metadata: Fields } & Fields {
  const prefix = "batch.kubernetes.io/job";
  const annotations = {
    ...(pod.index !== undefined && { [`${prefix}-completion-index`]: pod.index }),
    ...(pod.indexFailureCount !== undefined && { [`${prefix}-index-failure-count`]: pod.indexFailureCount }),
    ...(pod.indexIgnoredFailureCount !== undefined && {
      [`${prefix}-index-ignored-failure-count`]: pod.indexIgnoredFailureCount,
    }),
  };
  const grace = pod.deletionGracePeriodSeconds ?? 30;
  const deletion = { deletionTimestamp: pod.deletionTimestamp, deletionGracePeriodSeconds: grace };
  const { spec } = jobSpec["template"] as { readonly spec: Fields };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: pod.name,
      namespace: pod.namespace,
      uid: pod.uid,
      annotations,
      creationTimestamp: pod.creationTimestamp ?? "2025-01-01T11:30:00Z",
      finalizers: pod.finalizer === true ? [`${prefix}-tracking`] : [],
      ...(pod.deletionTimestamp !== undefined && deletion),
      ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "job", uid: JOB_UID, controller: true }],
    },
    spec: { ...spec, nodeName: "node-a" },
    status: {
      phase: pod.phase,
      conditions: pod.conditions,
      containerStatuses: pod.containerStatuses?.map((status) => ({ name: "main", ...status })),
      initContainerStatuses: pod.initContainerStatuses?.map((status) => ({ name: "init", ...status })),
    },
  };
}
