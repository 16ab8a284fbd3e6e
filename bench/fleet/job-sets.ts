import type { JsonObject } from "../../src/kubernetes/json/json-field.ts";
import { uidOf } from "../dynamodb/steady-jobs.ts";
import { eventsOfJob, type PlannedJob, type TimedEvent } from "./job-template.ts";

/** Jobs of a JobSet. */
export const JOBS_OF_SET = 4;
/** One in so many waits in its queue. */
const WAITING_SETS = 4;
const WAIT_MS = 60_000;

/**
 * When what happens, after the creation of the JobSet or after its admission, as JobSet 0.12 and Kueue 0.19 wrote it
 * (recording `kueue-parents`): the JobSet makes its Jobs suspended, and resumes them when Kueue admits its Workload.
 */
const AFTER_CREATION = { workload: 53, pending: 167, jobs: 145, suspended: 268 } as const;
const AFTER_ADMISSION = { notReady: 99, resumed: 257, jobs: 467, running: 670, ready: 2_424 } as const;
/** From the end of one Job to that of the next, and to what follows from the last one. */
const BETWEEN_ENDS = 140;
const AFTER_END = { completed: 142, finished: 270 } as const;
const AFTER_DELETION = { jobSet: 60, workload: 90 } as const;

export interface PlannedSet {
  /** Of one namespace. The first decides how long all of them run. */
  readonly jobs: readonly PlannedJob[];
  /** Different for each JobSet of a cluster. */
  readonly number: number;
}

/** The watch events of a JobSet that Kueue admits, with its Workload and Jobs, by the time since its creation. */
export function eventsOfJobSet({ jobs, number }: PlannedSet, beginsAt: number): readonly TimedEvent[] {
  const [first] = jobs;
  if (first === undefined) return [];
  const admittedAfter = number % WAITING_SETS === 0 ? WAIT_MS : 103;
  const set = new JobSetObjects(first, number, beginsAt);
  const startsAfter = admittedAfter + AFTER_ADMISSION.jobs;
  const lifetimes = jobs.map((_, index) => first.lifetime + index * BETWEEN_ENDS);
  const endsAfter = startsAfter + Math.max(...lifetimes) + AFTER_END.completed;
  const deletedAfter = endsAfter + first.ttl;
  const ofJobs = jobs.flatMap((job, index) => {
    const lifetime = lifetimes[index] ?? first.lifetime;
    const planned = { ...job, ...sharedBy(first), lifetime, ttl: deletedAfter - startsAfter - lifetime };
    const owned = { ...planned, name: `${set.name}-worker-${index}` };
    const createdAt = set.at(AFTER_CREATION.jobs);
    const started = eventsOfJob({ ...owned, jobSet: { ...set.reference, index, createdAt } }, beginsAt + startsAfter);
    return [...suspendedJob(started), ...started.map((event) => ({ ...event, ms: event.ms + startsAfter }))];
  });
  return [...set.events({ admittedAfter, endsAfter, deletedAfter }), ...ofJobs];
}

/** All Jobs complete. */
function sharedBy({ namespace, metadata }: PlannedJob): Pick<PlannedJob, "end" | "namespace" | "metadata"> {
  return { end: "completes", namespace, ...(metadata && { metadata }) };
}

/** How a Job of a suspended JobSet begins. */
function suspendedJob([created]: readonly TimedEvent[]): readonly TimedEvent[] {
  if (created === undefined) return [];
  const { object } = created.event;
  const suspended = { ...object, spec: { ...(object["spec"] as JsonObject), suspend: true } };
  const { creationTimestamp: lastTransitionTime } = object["metadata"] as JsonObject;
  const conditions = [{ type: "Suspended", status: "True", reason: "JobSuspended", lastTransitionTime }];
  return [
    { ms: AFTER_CREATION.jobs, event: { type: "ADDED", object: suspended } },
    { ms: AFTER_CREATION.jobs + 46, event: { type: "MODIFIED", object: { ...suspended, status: { conditions } } } },
  ];
}

interface Course {
  readonly admittedAfter: number;
  readonly endsAfter: number;
  readonly deletedAfter: number;
}

type Condition = readonly [type: string, status: "True" | "False", reason: string, after: number];

/** A JobSet and its Workload, as a watch shows them. */
class JobSetObjects {
  readonly name: string;
  readonly #uid: string;
  readonly #workloadUid: string;
  readonly #job: PlannedJob;
  readonly #beginsAt: number;

  constructor(job: PlannedJob, number: number, beginsAt: number) {
    this.name = `train-${number}`;
    this.#uid = uidOf(`${job.cluster} jobset ${number}`);
    this.#workloadUid = uidOf(`${job.cluster} workload ${number}`);
    this.#job = job;
    this.#beginsAt = beginsAt;
  }

  get reference() {
    return { name: this.name, uid: this.#uid };
  }

  at(ms: number): string {
    return new Date(this.#beginsAt + ms).toISOString().replace(/\.\d+Z$/, "Z");
  }

  events({ admittedAfter, endsAfter, deletedAfter }: Course): readonly TimedEvent[] {
    const { workload, pending, suspended } = AFTER_CREATION;
    const { notReady, resumed, running, ready } = AFTER_ADMISSION;
    const isSuspended: Condition = ["Suspended", "True", "SuspendedJobs", suspended];
    const isResumed: Condition = ["Suspended", "False", "ResumeJobs", admittedAfter + running];
    const isWaiting: Condition = ["QuotaReserved", "False", "Pending", pending];
    const isAdmitted: readonly Condition[] = [
      ["QuotaReserved", "True", "QuotaReserved", admittedAfter],
      ["Admitted", "True", "Admitted", admittedAfter],
    ];
    const isNotReady: Condition = ["PodsReady", "False", "WaitForStart", admittedAfter + notReady];
    const isReady: Condition = ["PodsReady", "True", "Started", admittedAfter + ready];
    const isFinished: Condition = ["Finished", "True", "Succeeded", endsAfter + AFTER_END.finished];
    const isCompleted: Condition = ["Completed", "True", "AllJobsCompleted", endsAfter];
    const over = [...isAdmitted, isReady, isFinished];
    return [
      this.#jobSet(0, []),
      this.#workload(workload, []),
      ...(admittedAfter > pending ? [this.#workload(pending, [isWaiting])] : []),
      this.#jobSet(suspended, [isSuspended]),
      this.#workload(admittedAfter, isAdmitted),
      this.#workload(admittedAfter + notReady, [...isAdmitted, isNotReady]),
      // Each change of its Jobs is counted in its status, of which nothing is kept.
      this.#jobSet(admittedAfter + resumed, [isSuspended]),
      ...[0, 86, 159, 190, 393, 1_610, 1_735].map((ms) => this.#jobSet(admittedAfter + running + ms, [isResumed])),
      this.#workload(admittedAfter + ready, [...isAdmitted, isReady]),
      ...[524, 394, 263, 92].map((ms) => this.#jobSet(endsAfter - ms, [isResumed])),
      this.#jobSet(endsAfter, [isResumed, isCompleted]),
      this.#workload(endsAfter + AFTER_END.finished, over),
      this.#deleted(this.#jobSet(deletedAfter + AFTER_DELETION.jobSet, [isResumed, isCompleted])),
      this.#deleted(this.#workload(deletedAfter + AFTER_DELETION.workload, over)),
    ];
  }

  #deleted({ ms, event: { object } }: TimedEvent): TimedEvent {
    const metadata = { ...(object["metadata"] as JsonObject), deletionTimestamp: this.at(ms) };
    return { ms, event: { type: "DELETED", object: { ...object, metadata } } };
  }

  #jobSet(ms: number, conditions: readonly Condition[]): TimedEvent {
    const { metadata } = this.#job;
    const labels = { ...metadata?.labels, "kueue.x-k8s.io/queue-name": "main" };
    const own = { ...this.reference, labels, annotations: metadata?.annotations ?? {} };
    const object = this.#object({ apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" }, own, conditions);
    return { ms, event: { type: "MODIFIED", object: { ...object, status: { ...statusOf(object), restarts: 0 } } } };
  }

  #workload(ms: number, conditions: readonly Condition[]): TimedEvent {
    const controller = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", ...this.reference, controller: true };
    const own = {
      name: `jobset-${this.name}-${this.#workloadUid.slice(0, 5)}`,
      uid: this.#workloadUid,
      labels: { "kueue.x-k8s.io/job-uid": this.#uid },
      ownerReferences: [controller],
    };
    const object = this.#object({ apiVersion: "kueue.x-k8s.io/v1beta2", kind: "Workload" }, own, conditions);
    const isAdmitted = conditions.some(([kind]) => kind === "Admitted");
    const admission = isAdmitted ? { admission: { clusterQueue: "team" } } : {};
    const status = { ...statusOf(object), ...admission };
    return { ms, event: { type: "MODIFIED", object: { ...object, spec: { queueName: "main" }, status } } };
  }

  #object(of: JsonObject, own: JsonObject, conditions: readonly Condition[]): JsonObject {
    const { namespace } = this.#job;
    return {
      ...of,
      metadata: { ...own, namespace, generation: 1, creationTimestamp: this.at(0) },
      status: {
        conditions: conditions.map(([type, status, reason, after]) => {
          return { type, status, reason, lastTransitionTime: this.at(after) };
        }),
      },
    };
  }
}

function statusOf(object: JsonObject): JsonObject {
  return object["status"] as JsonObject;
}
