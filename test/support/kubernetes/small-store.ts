export interface SmallJob {
  readonly completions: number;
  readonly parallelism: number;
  readonly backoffLimit: number;
  readonly completionMode: "NonIndexed" | "Indexed";
  readonly podReplacementPolicy: "TerminatingOrFailed" | "Failed";
  /** Finalizer tracking, or the old controller that counts the existing Pods. */
  readonly tracked: boolean;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Readonly<Record<string, unknown>>;
}

/** The ground truth. */
export interface Truth {
  /** The uids of Pods whose program exited with 0, and with another code. */
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** The uids of Pods whose deletion was requested before they terminated. */
  readonly interrupted: ReadonlySet<string>;
  readonly ended: "Complete" | "Failed" | undefined;
}

const FINALIZER = "batch.kubernetes.io/job-tracking";
const JOB_UID = "00000000-0000-4000-8000-000000000001";
const BEGAN = Date.parse("2026-01-01T00:00:00Z");

export interface Pod {
  readonly uid: string;
  readonly name: string;
  readonly index?: number;
  phase: "Pending" | "Running" | "Succeeded" | "Failed";
  exitCode?: number;
  startedAt?: string;
  finishedAt?: string;
  finalizer: boolean;
  deletionTimestamp?: string;
  readonly createdAt: string;
}

interface Status {
  startTime?: string;
  completionTime?: string;
  succeeded: number;
  failed: number;
  completedIndexes: Set<number>;
  uncounted: { succeeded: string[]; failed: string[] };
  conditions: { type: string; status: string; reason?: string; lastTransitionTime: string }[];
}

/**
 * The objects of a small cluster. Every write has a number, and watchers see it like a real watch event. The ground
 * truth is recorded next to them.
 */
export class SmallStore {
  readonly events: WatchEvent[] = [];
  readonly job: SmallJob;
  readonly pods = new Map<string, Pod>();
  readonly status: Status = {
    succeeded: 0,
    failed: 0,
    completedIndexes: new Set(),
    uncounted: { succeeded: [], failed: [] },
    conditions: [],
  };
  readonly #succeeded = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #interrupted = new Set<string>();
  #isSuspended = false;
  #generation = 1;
  #clock = 0;
  #version = 100;

  constructor(job: SmallJob) {
    this.job = job;
    this.emitJob("ADDED");
  }

  get truth(): Truth {
    const condition = this.status.conditions.find(({ type }) => type === "Complete" || type === "Failed");
    return {
      succeeded: this.#succeeded,
      failed: this.#failed,
      interrupted: this.#interrupted,
      ended: condition?.type === "Complete" || condition?.type === "Failed" ? condition.type : undefined,
    };
  }

  get isIndexed(): boolean {
    return this.job.completionMode === "Indexed";
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  get now(): string {
    return new Date(BEGAN + this.#clock * 1000).toISOString().replace(".000Z", "Z");
  }

  /** Increases with every write. */
  get version(): number {
    return this.#version;
  }

  /** Advances the clock by a second. */
  tick(): void {
    this.#clock += 1;
  }

  suspend(isSuspended: boolean): void {
    this.#isSuspended = isSuspended;
    this.#generation += 1;
    this.emitJob("MODIFIED");
  }

  /** Ends a program with exit code 0 or 1. */
  endProgram(pod: Pod, exitCode: 0 | 1): void {
    pod.phase = exitCode === 0 ? "Succeeded" : "Failed";
    pod.exitCode = exitCode;
    pod.finishedAt = this.now;
    (exitCode === 0 ? this.#succeeded : this.#failed).add(pod.uid);
    this.emitPod("MODIFIED", pod);
    this.removeIfFree(pod);
  }

  active(): readonly Pod[] {
    return this.#living().filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
  }

  terminating(): readonly Pod[] {
    return this.#living().filter(({ deletionTimestamp }) => deletionTimestamp !== undefined);
  }

  #living(): readonly Pod[] {
    return [...this.pods.values()].filter(({ phase }) => phase === "Pending" || phase === "Running");
  }

  requestDeletion(pod: Pod): void {
    if (pod.deletionTimestamp !== undefined) return;
    if (pod.phase === "Pending" || pod.phase === "Running") this.#interrupted.add(pod.uid);
    pod.deletionTimestamp = this.now;
    this.emitPod("MODIFIED", pod);
    this.removeIfFree(pod);
  }

  removeFinalizer(pod: Pod): void {
    const goes = pod.deletionTimestamp !== undefined && (pod.phase === "Succeeded" || pod.phase === "Failed");
    if (goes) {
      // Taking the last finalizer off a deleting object is its deletion: DELETED still lists it (job-semantics 13).
      this.pods.delete(pod.uid);
      return this.emitPod("DELETED", pod);
    }
    pod.finalizer = false;
    this.emitPod("MODIFIED", pod);
  }

  removeIfFree(pod: Pod): void {
    const ended = pod.phase === "Succeeded" || pod.phase === "Failed";
    if (!ended || pod.deletionTimestamp === undefined || pod.finalizer || !this.pods.delete(pod.uid)) return;
    this.emitPod("DELETED", pod);
  }

  #nextVersion(): string {
    this.#version += 1;
    return String(this.#version);
  }

  emitJob(type: WatchEvent["type"]): void {
    const { completions, parallelism, backoffLimit, completionMode, podReplacementPolicy, tracked } = this.job;
    const { startTime, completionTime, succeeded, failed, completedIndexes, uncounted, conditions } = this.status;
    const status = {
      ...(startTime !== undefined && { startTime }),
      ...(completionTime !== undefined && { completionTime }),
      active: this.active().length,
      ...(tracked && { terminating: this.terminating().length }),
      succeeded: this.isIndexed ? completedIndexes.size : succeeded,
      failed,
      ...(this.isIndexed && { completedIndexes: [...completedIndexes].sort((a, b) => a - b).join(",") }),
      ...(tracked && (startTime !== undefined || conditions.length > 0) && { uncountedTerminatedPods: uncounted }),
      conditions,
    };
    this.#emit(type, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: "small",
        namespace: "small",
        uid: JOB_UID,
        resourceVersion: this.#nextVersion(),
        generation: this.#generation,
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      spec: {
        completions,
        parallelism,
        backoffLimit,
        completionMode,
        suspend: this.#isSuspended,
        ...(tracked && { podReplacementPolicy }),
        template: { spec: { restartPolicy: "Never", containers: [{ name: "main" }] } },
      },
      status,
    });
  }

  emitPod(type: WatchEvent["type"], pod: Pod): void {
    const state =
      pod.exitCode === undefined
        ? pod.phase === "Running"
          ? { running: { startedAt: pod.startedAt } }
          : { waiting: { reason: "ContainerCreating" } }
        : {
            terminated: {
              exitCode: pod.exitCode,
              reason: pod.exitCode === 0 ? "Completed" : "Error",
              finishedAt: pod.finishedAt,
            },
          };
    this.#emit(type, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: pod.name,
        namespace: "small",
        uid: pod.uid,
        resourceVersion: this.#nextVersion(),
        creationTimestamp: pod.createdAt,
        finalizers: pod.finalizer ? [FINALIZER] : [],
        ...(pod.index !== undefined && {
          annotations: { "batch.kubernetes.io/job-completion-index": String(pod.index) },
        }),
        ...(pod.deletionTimestamp !== undefined && {
          deletionTimestamp: pod.deletionTimestamp,
          deletionGracePeriodSeconds: 0,
        }),
        ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "small", uid: JOB_UID, controller: true }],
      },
      spec: { restartPolicy: "Never", containers: [{ name: "main" }], nodeName: "node-a" },
      status: { phase: pod.phase, containerStatuses: [{ name: "main", restartCount: 0, state }] },
    });
  }

  #emit(type: WatchEvent["type"], object: Readonly<Record<string, unknown>>): void {
    this.events.push({ type, object: structuredClone(object) });
  }
}
