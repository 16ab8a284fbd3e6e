import type { Instant } from "../../../src/job/model/instant.ts";
import { drawn, drawnUid } from "./drawn.ts";
import { finalStatus } from "./job-life.ts";
import {
  type Condition,
  conditionsOf,
  JobObject,
  type JobTemplate,
  type PodEnd,
  PodObject,
  SUCCEEDS,
} from "./job-objects.ts";
import { type KubernetesObject, SECOND, stamp, type WatchEvent } from "./watch-events.ts";

/** A JobSet that Kueue admits, and whose workers run at the same time. */
export interface PlannedJobSet {
  readonly name: string;
  readonly template: JobTemplate;
  readonly workers: number;
  readonly nodes: readonly string[];
  readonly queue: string;
  readonly clusterQueue: string;
  /** Why it has to wait, as Kueue writes it. */
  readonly lacking: string;
  readonly createdAt: Instant;
  /** In order. After the last one, it waits or has completed. */
  readonly stays: readonly Stay[];
}

/** A time for which its workers run. */
export interface Stay {
  readonly admittedAt: Instant;
  readonly endsAt: Instant;
  readonly end:
    | { readonly how: "completed" }
    /** Kueue needs its quota for another Workload. */
    | { readonly how: "preempted"; readonly by: string }
    /** One worker fails, so the JobSet starts all of them again without another admission. */
    | { readonly how: "restarted"; readonly worker: number; readonly pod: PodEnd };
}

/** The uid of the JobSet's Workload. */
export function workloadUid({
  template: { cluster, namespace },
  name,
}: Pick<PlannedJobSet, "template" | "name">): string {
  return drawnUid(`${cluster} workload ${namespace}/${name}`);
}

export function jobSetLife(plan: PlannedJobSet): readonly WatchEvent[] {
  return new JobSetLife(plan).events();
}

const KILLED: PodEnd = { phase: "Failed", exitCode: 137, reason: "Error" };

class JobSetLife {
  readonly #plan: PlannedJobSet;
  readonly #events: WatchEvent[] = [];
  readonly #uid: string;
  #attempt = 0;
  #jobsCreatedAt: Instant;
  /** The state that each condition of the JobSet and of its Workload is in. */
  readonly #ofJobSet = new Map<string, Condition>();
  readonly #ofWorkload = new Map<string, Condition>();

  constructor(plan: PlannedJobSet) {
    this.#plan = plan;
    this.#jobsCreatedAt = plan.createdAt + SECOND;
    this.#uid = drawnUid(`${plan.template.cluster} jobset ${plan.template.namespace}/${plan.name}`);
  }

  events(): readonly WatchEvent[] {
    const { createdAt, stays, lacking } = this.#plan;
    this.#jobSet(createdAt, []);
    this.#workload(createdAt, []);
    const isQueued = stays[0] === undefined || stays[0].admittedAt > createdAt + SECOND;
    if (isQueued) this.#workload(createdAt + SECOND, [pending(createdAt + SECOND, lacking)]);
    for (const job of this.#jobs()) {
      const suspended = { conditions: conditionsOf([suspension(createdAt + SECOND, true)]) };
      this.#events.push(job.event(createdAt + SECOND, {}, { type: "ADDED", suspend: true }));
      this.#events.push(job.event(createdAt + SECOND, suspended, { suspend: true }));
    }
    for (const [number, stay] of stays.entries()) this.#stay(stay, number);
    return this.#events;
  }

  #stay(stay: Stay, number: number): void {
    const { admittedAt, endsAt, end } = stay;
    if (this.#plan.stays[number - 1]?.end.how !== "restarted") this.#admit(admittedAt, number > 0);
    const startedAt = admittedAt + 2 * SECOND;
    if (this.#ofJobSet.has("RestartingJobSet")) this.#jobSet(startedAt, [restarted(startedAt)]);
    const pods = this.#jobs().map((job, worker) => this.#start(job, { worker, number, startedAt }));
    switch (end.how) {
      case "completed":
        return this.#complete(pods, endsAt);
      case "preempted":
        return this.#preempt(pods, endsAt, end.by);
      case "restarted":
        return this.#restart(pods, endsAt, end);
    }
  }

  #admit(at: Instant, isAgain: boolean): void {
    const reserved: Condition = { type: "QuotaReserved", reason: "QuotaReserved", at };
    const admitted: Condition = { type: "Admitted", reason: "Admitted", message: "The workload is admitted", at };
    const over: readonly Condition[] = isAgain
      ? ["Evicted", "Preempted"].map((type) => ({ type, status: "False", reason: "QuotaReserved", at }))
      : [];
    this.#workload(at, [reserved, admitted, ...over]);
    this.#jobSet(at + SECOND, [{ type: "Suspended", status: "False", reason: "ResumeJobs", at: at + SECOND }]);
  }

  #start(job: JobObject, { worker, number, startedAt }: StartedWorker): RunningWorker {
    const { nodes } = this.#plan;
    const node = nodes[Math.floor(drawn(`${job.uid} node ${number}`) * nodes.length)] ?? "";
    const pod = new PodObject({ job, number, createdAt: startedAt, node });
    const status = { conditions: conditionsOf([suspension(startedAt, false)]), startTime: stamp(startedAt) };
    const active = { ...status, active: 1, ready: 1 };
    this.#events.push(job.event(startedAt, status), pod.created(), pod.running(), job.event(pod.startsAt, active));
    return { job, pod, worker, status };
  }

  #complete(pods: readonly RunningWorker[], at: Instant): void {
    for (const { job, pod, worker, status } of pods) {
      const endedAt = at - (pods.length - worker) * SECOND;
      this.#events.push(pod.ended(endedAt, SUCCEEDS), pod.counted(endedAt + SECOND, endedAt, SUCCEEDS));
      const final = finalStatus(endedAt + SECOND, true);
      const conditions = [...status.conditions, ...final.conditions];
      this.#events.push(job.event(endedAt + SECOND, { ...status, ...final, conditions, succeeded: 1 }));
    }
    this.#jobSet(at + SECOND, [{ type: "Completed", reason: "AllJobsCompleted", at: at + SECOND }]);
    this.#workload(at + 2 * SECOND, [{ type: "Finished", reason: "Succeeded", at: at + 2 * SECOND }]);
  }

  #preempt(pods: readonly RunningWorker[], at: Instant, by: string): void {
    const message = `Preempted to accommodate a workload (UID: ${by}) due to prioritization in the ClusterQueue`;
    const evicted = { type: "Evicted", reason: "Preempted", message, at };
    this.#workload(at, [evicted, { type: "Preempted", reason: "InClusterQueue", message, at }]);
    this.#jobSet(at + SECOND, [{ type: "Suspended", reason: "SuspendedJobs", at: at + SECOND }]);
    const goneAt = at + 2 * SECOND;
    for (const { job, pod, status } of pods) {
      const suspended = { conditions: conditionsOf([suspension(goneAt, true)]) };
      const asked = job.event(at + SECOND, { ...status, active: 1, ready: 1 }, { suspend: true });
      this.#events.push(asked, pod.terminating(at + SECOND, { isReleased: true }), pod.deleted(goneAt, goneAt, KILLED));
      this.#events.push(job.event(goneAt, suspended, { suspend: true }));
    }
    const isNotAdmitted = { type: "Admitted", status: "False", reason: "NoReservation", at: goneAt } as const;
    this.#workload(goneAt, [pending(goneAt, this.#plan.lacking), isNotAdmitted]);
  }

  #restart(pods: readonly RunningWorker[], at: Instant, { worker, pod: end }: Restart): void {
    const failing = pods.find((one) => one.worker === worker);
    if (failing === undefined) return;
    const { job, pod, status } = failing;
    const final = finalStatus(at + SECOND, false);
    const failed = { ...status, ...final, conditions: [...status.conditions, ...final.conditions], failed: 1 };
    this.#events.push(pod.ended(at, end), pod.counted(at + SECOND, at, end), job.event(at + SECOND, failed));
    this.#attempt += 1;
    const [restartAt, goneAt] = [at + 2 * SECOND, at + 5 * SECOND];
    const message = `applying RestartJobSet failure policy action (first failed job: ${job.plan.name})`;
    this.#jobSet(restartAt, [{ type: "RestartingJobSet", reason: "DefaultFailurePolicy", message, at: restartAt }]);
    for (const one of pods) {
      const isFailed = one === failing;
      const last = isFailed ? failed : one.status;
      this.#events.push(one.job.event(restartAt, last, { requestedAt: restartAt }));
      if (!isFailed) this.#events.push(one.pod.terminating(restartAt, { isReleased: false }));
      this.#events.push(one.pod.deleted(goneAt, isFailed ? at : goneAt, isFailed ? end : KILLED));
      this.#events.push(one.job.event(goneAt, last, { type: "DELETED", requestedAt: restartAt }));
    }
    this.#jobsCreatedAt = goneAt + SECOND;
    for (const next of this.#jobs()) this.#events.push(next.event(this.#jobsCreatedAt, {}, { type: "ADDED" }));
  }

  #jobs(): readonly JobObject[] {
    const { name, template, workers } = this.#plan;
    const owner = { ...JOB_SET, name, uid: this.#uid };
    const createdAt = this.#jobsCreatedAt;
    return Array.from({ length: workers }, (_, index) => {
      const labels = { ...template.labels, ...this.#jobLabels(index) };
      const plan = { ...template, labels, name: `${name}-worker-${index}`, createdAt, owner };
      return new JobObject({ ...plan, generation: this.#attempt });
    });
  }

  #jobLabels(index: number): Readonly<Record<string, string>> {
    return {
      "jobset.sigs.k8s.io/jobset-name": this.#plan.name,
      "jobset.sigs.k8s.io/jobset-uid": this.#uid,
      "jobset.sigs.k8s.io/replicatedjob-name": "worker",
      "jobset.sigs.k8s.io/job-index": String(index),
      "jobset.sigs.k8s.io/restart-attempt": String(this.#attempt),
    };
  }

  #jobSet(at: Instant, changed: readonly Condition[]): void {
    const { name, template, queue, createdAt } = this.#plan;
    const labels = { ...template.labels, "kueue.x-k8s.io/queue-name": queue };
    const own = { name, namespace: template.namespace, uid: this.#uid, creationTimestamp: stamp(createdAt), labels };
    const counters = { restarts: this.#attempt, restartsCountTowardsMax: this.#attempt };
    const status = { conditions: joined(this.#ofJobSet, changed), ...counters };
    const spec = { failurePolicy: { maxRestarts: 2 } };
    this.#push(at, { ...JOB_SET, metadata: own, spec, status });
  }

  #workload(at: Instant, changed: readonly Condition[]): void {
    const { name, template, queue, clusterQueue, createdAt } = this.#plan;
    const uid = workloadUid(this.#plan);
    const metadata = {
      name: `jobset-${name}-${uid.slice(0, 5)}`,
      namespace: template.namespace,
      uid,
      creationTimestamp: stamp(createdAt),
      labels: { "kueue.x-k8s.io/job-uid": this.#uid },
      ownerReferences: [{ ...JOB_SET, name, uid: this.#uid, controller: true }],
    };
    const conditions = joined(this.#ofWorkload, changed);
    const isAdmitted = this.#ofWorkload.get("Admitted")?.status !== "False" && this.#ofWorkload.has("Admitted");
    const status = { conditions, ...(isAdmitted && { admission: { clusterQueue } }) };
    this.#push(at, { ...WORKLOAD, metadata, spec: { queueName: queue, active: true }, status });
  }

  #push(at: Instant, object: KubernetesObject): void {
    const isFirst = !this.#events.some((event) => event.object.metadata.uid === object.metadata.uid);
    this.#events.push({ at, type: isFirst ? "ADDED" : "MODIFIED", object });
  }
}

const JOB_SET = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" };
const WORKLOAD = { apiVersion: "kueue.x-k8s.io/v1beta2", kind: "Workload" };

type Restart = Extract<Stay["end"], { readonly how: "restarted" }>;

interface StartedWorker {
  readonly worker: number;
  readonly number: number;
  readonly startedAt: Instant;
}

interface RunningWorker {
  readonly job: JobObject;
  readonly pod: PodObject;
  readonly worker: number;
  readonly status: { readonly conditions: ReturnType<typeof conditionsOf>; readonly startTime: string };
}

function joined(known: Map<string, Condition>, changed: readonly Condition[]) {
  for (const condition of changed) known.set(condition.type, condition);
  return conditionsOf([...known.values()]);
}

function pending(at: Instant, message: string): Condition {
  return { type: "QuotaReserved", status: "False", reason: "Pending", message, at };
}

function restarted(at: Instant): Condition {
  return { type: "RestartingJobSet", status: "False", reason: "JobsReady", at };
}

function suspension(at: Instant, isSuspended: boolean): Condition {
  const reason = isSuspended ? "JobSuspended" : "JobResumed";
  return { type: "Suspended", status: isSuspended ? "True" : "False", reason, at };
}
