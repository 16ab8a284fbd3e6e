import type { Instant } from "../../../src/job/model/instant.ts";
import { drawnUid } from "./drawn.ts";
import { SECOND, stamp, type WatchEvent } from "./watch-events.ts";

export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** What a Job is made from. */
export interface JobTemplate {
  readonly cluster: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly image: string;
  readonly cpu: string;
  readonly memory: string;
  readonly backoffLimit: number;
  /** The number of indexes. @default a Job with one completion */
  readonly indexes?: number;
  /** As before Kubernetes 1.26: Pods have no finalizer, and the Job counts those that exist. @default false */
  readonly isUntracked?: boolean;
}

export interface PlannedJob extends JobTemplate {
  readonly name: string;
  readonly createdAt: Instant;
  readonly owner?: Owner;
  /** The due time of the CronJob. */
  readonly scheduledAt?: Instant;
  /** Distinguishes Jobs of one name. */
  readonly generation?: number;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Condition {
  readonly type: string;
  readonly status?: "True" | "False";
  readonly reason?: string;
  readonly message?: string;
  readonly at: Instant;
}

export function conditionsOf(conditions: readonly Condition[]): readonly Fields[] {
  return conditions.map(({ at, status = "True", ...fields }) => ({ ...fields, status, lastTransitionTime: stamp(at) }));
}

function container({ image, cpu, memory }: JobTemplate): Fields {
  return { name: "work", image, resources: { requests: { cpu, memory }, limits: { memory } } };
}

interface JobChange {
  /** @default "MODIFIED" */
  readonly type?: WatchEvent["type"];
  /** Of its spec. @default false */
  readonly suspend?: boolean;
  /** When its deletion was requested. @default with the event of type DELETED */
  readonly requestedAt?: Instant;
}

/** The watch events of one Job. */
export class JobObject {
  readonly uid: string;
  readonly imageID: string;
  readonly plan: PlannedJob;

  constructor(plan: PlannedJob) {
    this.plan = plan;
    this.imageID = `${plan.image}@sha256:${drawnUid(plan.image).replaceAll("-", "")}`;
    this.uid = drawnUid(`${plan.cluster} job ${plan.namespace}/${plan.name} ${plan.generation ?? 0}`);
  }

  get owner(): Owner {
    return { apiVersion: "batch/v1", kind: "Job", name: this.plan.name, uid: this.uid };
  }

  /** The object with a status. */
  event(at: Instant, status: Fields, { type = "MODIFIED", suspend = false, requestedAt }: JobChange = {}): WatchEvent {
    const tracking = this.plan.isUntracked === true || type === "ADDED" ? {} : { uncountedTerminatedPods: {} };
    const deletionAt = requestedAt ?? (type === "DELETED" ? at : undefined);
    const deletion = deletionAt && { deletionTimestamp: stamp(deletionAt), deletionGracePeriodSeconds: 0 };
    const metadata = { ...this.#metadata(), ...deletion };
    const object = { apiVersion: "batch/v1", kind: "Job", metadata, spec: this.#spec(suspend) };
    return { at, type, object: { ...object, status: { ...tracking, ...status } } };
  }

  #metadata() {
    const { name, namespace, labels, createdAt, owner, scheduledAt } = this.plan;
    const annotations = { "batch.kubernetes.io/cronjob-scheduled-timestamp": stamp(scheduledAt ?? 0) };
    return {
      name,
      namespace,
      uid: this.uid,
      generation: 1,
      creationTimestamp: stamp(createdAt),
      labels,
      ...(scheduledAt !== undefined && { annotations }),
      ...(owner && { ownerReferences: [{ ...owner, controller: true }] }),
    };
  }

  #spec(suspend: boolean): Fields {
    const { backoffLimit, indexes = 1 } = this.plan;
    return {
      parallelism: Math.min(indexes, 6),
      completions: indexes,
      completionMode: indexes > 1 ? "Indexed" : "NonIndexed",
      backoffLimit,
      suspend,
      template: { spec: { restartPolicy: "Never", containers: [container(this.plan)] } },
    };
  }
}

export interface PlannedPod {
  readonly job: JobObject;
  /** Distinguishes the Pods of a Job. */
  readonly number: number;
  readonly createdAt: Instant;
  readonly node: string;
  readonly index?: number;
}

/** How the container of a Pod ended. */
export interface PodEnd {
  readonly phase: "Succeeded" | "Failed";
  readonly exitCode: number;
  /** Of the container. */
  readonly reason: string;
  /** Of the Pod, which the kubelet ended. */
  readonly eviction?: string;
}

export const SUCCEEDS: PodEnd = { phase: "Succeeded", exitCode: 0, reason: "Completed" };

/** The fields of its metadata that change. */
interface PodChange extends Fields {
  /** @default "MODIFIED" */
  readonly type?: WatchEvent["type"];
}

/** From the creation of a Pod to its node, and to the start of its container. */
const SCHEDULING = SECOND;
const STARTING = 3 * SECOND;
const GRACE = 30 * SECOND;

/** The watch events of one Pod. */
export class PodObject {
  readonly uid: string;
  readonly #name: string;
  readonly #plan: PlannedPod;

  constructor(plan: PlannedPod) {
    const { job, number, index } = plan;
    this.#plan = plan;
    this.uid = drawnUid(`pod ${job.uid} ${number}`);
    this.#name = `${job.plan.name}${index === undefined ? "" : `-${index}`}-${this.uid.slice(0, 5)}`;
  }

  created(): WatchEvent {
    return this.#event(this.#plan.createdAt, { phase: "Pending" }, { type: "ADDED" });
  }

  running(): WatchEvent {
    return this.#event(this.startsAt, this.#runningStatus());
  }

  /** The container waits: the image cannot be pulled, for example. */
  waiting(at: Instant, reason: string, message: string): WatchEvent {
    const started = this.#started([{ type: "Ready", status: "False", reason: "ContainersNotReady", at }]);
    const containerStatuses = [this.#container({ waiting: { reason, message } })];
    return this.#event(at, { phase: "Pending", ...started, containerStatuses });
  }

  ended(at: Instant, end: PodEnd): WatchEvent {
    return this.#event(at, this.#endStatus(at, end));
  }

  /** The Job controller removes the finalizer once it has counted the Pod. */
  counted(at: Instant, endedAt: Instant, end: PodEnd): WatchEvent {
    return this.#event(at, this.#endStatus(endedAt, end), { finalizers: undefined });
  }

  /** Its deletion was requested while its container ran, by the Job controller if that has released it. */
  terminating(at: Instant, { isReleased }: { readonly isReleased: boolean }): WatchEvent {
    const deletion = { deletionTimestamp: stamp(at + GRACE), deletionGracePeriodSeconds: GRACE / SECOND };
    const released = isReleased ? { finalizers: undefined } : {};
    return this.#event(at, this.#runningStatus(), { ...deletion, ...released });
  }

  deleted(at: Instant, endedAt: Instant, end: PodEnd): WatchEvent {
    const deletion = { deletionTimestamp: stamp(at), deletionGracePeriodSeconds: 0, finalizers: undefined };
    return this.#event(at, this.#endStatus(endedAt, end), { type: "DELETED", ...deletion });
  }

  get startsAt(): Instant {
    return this.#plan.createdAt + STARTING;
  }

  #runningStatus(): Fields {
    const at = this.startsAt;
    const started = this.#started([{ type: "Ready", reason: "ContainersReady", at }]);
    const containerStatuses = [this.#container({ running: { startedAt: stamp(at) } })];
    return { phase: "Running", ...started, containerStatuses };
  }

  #endStatus(at: Instant, { phase, exitCode, reason, eviction }: PodEnd) {
    const [startedAt, finishedAt] = [stamp(this.startsAt), stamp(at)];
    const disrupted = { type: "DisruptionTarget", reason: "TerminationByKubelet", at };
    const ready: Condition = { type: "Ready", status: "False", reason: "PodCompleted", at };
    return {
      phase,
      ...(eviction !== undefined && { reason: "Evicted", message: eviction }),
      ...this.#started([ready, ...(eviction === undefined ? [] : [disrupted])]),
      containerStatuses: [this.#container({ terminated: { exitCode, reason, startedAt, finishedAt } })],
    };
  }

  #started(conditions: readonly Condition[]) {
    const at = this.#plan.createdAt + SCHEDULING;
    const scheduled = { type: "PodScheduled", at };
    return { startTime: stamp(at), conditions: conditionsOf([scheduled, ...conditions]) };
  }

  #container(state: Fields): Fields {
    const { plan, imageID } = this.#plan.job;
    return { name: "work", image: plan.image, imageID, state };
  }

  #event(at: Instant, status: Fields, { type = "MODIFIED", ...changed }: PodChange = {}): WatchEvent {
    const { job, createdAt, node, index } = this.#plan;
    const { namespace, isUntracked = false } = job.plan;
    const metadata = {
      name: this.#name,
      namespace,
      uid: this.uid,
      creationTimestamp: stamp(createdAt),
      ...(index !== undefined && { annotations: { "batch.kubernetes.io/job-completion-index": String(index) } }),
      ownerReferences: [{ ...job.owner, controller: true }],
      ...(!isUntracked && { finalizers: ["batch.kubernetes.io/job-tracking"] }),
      ...changed,
    };
    const nodeName = type === "ADDED" ? {} : { nodeName: node };
    const spec = { restartPolicy: "Never", ...nodeName, containers: [container(job.plan)] };
    return { at, type, object: { apiVersion: "v1", kind: "Pod", metadata, spec, status } };
  }
}
