/**
 * A Job controller, a kubelet, a garbage collector and a careless user, all very small, that act in any order they are told to and
 * keep the truth beside. Every write goes through one store that numbers it, and is seen by a watcher as real watch events are.
 * The controller follows job-semantics as upstream does (one small step at a time, so that anything may come between two steps).
 */
export interface SmallJob {
  readonly completions: number;
  readonly parallelism: number;
  readonly backoffLimit: number;
  readonly completionMode: "NonIndexed" | "Indexed";
  readonly podReplacementPolicy: "TerminatingOrFailed" | "Failed";
  /** Finalizer tracking, or the old controller that counts the Pods that exist. */
  readonly tracked: boolean;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Readonly<Record<string, unknown>>;
}

/** What truly happened, whoever saw it. */
export interface Truth {
  /** uids of Pods whose program ended with 0, and with anything else. */
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** uids of Pods that somebody asked to go before they had ended. */
  readonly interrupted: ReadonlySet<string>;
  readonly ended: "Complete" | "Failed" | undefined;
}

const FINALIZER = "batch.kubernetes.io/job-tracking";
const JOB_UID = "00000000-0000-4000-8000-000000000001";
const BEGAN = Date.parse("2026-01-01T00:00:00Z");

interface Pod {
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

export class SmallCluster {
  readonly events: WatchEvent[] = [];
  readonly #job: SmallJob;
  readonly #pods = new Map<string, Pod>();
  readonly #succeeded = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #interrupted = new Set<string>();
  readonly #status: Status = {
    succeeded: 0,
    failed: 0,
    completedIndexes: new Set(),
    uncounted: { succeeded: [], failed: [] },
    conditions: [],
  };
  #suspended = false;
  #generation = 1;
  #clock = 0;
  #version = 100;
  #names = 0;

  constructor(job: SmallJob) {
    this.#job = job;
    this.#emitJob("ADDED");
  }

  get truth(): Truth {
    const condition = this.#status.conditions.find(({ type }) => type === "Complete" || type === "Failed");
    return {
      succeeded: this.#succeeded,
      failed: this.#failed,
      interrupted: this.#interrupted,
      ended: condition?.type === "Complete" || condition?.type === "Failed" ? condition.type : undefined,
    };
  }

  /** What the controller has in its counters and lists: what it would show once everything is counted. */
  get counted(): { readonly succeeded: number; readonly failed: number; readonly completedIndexes: readonly number[] } {
    const { succeeded, failed, uncounted, completedIndexes } = this.#status;
    return {
      succeeded: this.#indexed ? completedIndexes.size : succeeded + uncounted.succeeded.length,
      failed: failed + uncounted.failed.length,
      completedIndexes: [...completedIndexes].sort((a, b) => a - b),
    };
  }

  /** Lets one of those who can act do so: `choice` decides who and on what. */
  act(choice: number): void {
    this.#clock += 1;
    const actor = choice % 16;
    const pick = Math.floor(choice / 16);
    if (actor < 8) this.#sync();
    else if (actor < 12) this.#kubelet(pick);
    else if (actor === 12) this.#deletePod(pick);
    else if (actor === 13) this.#collectGarbage(pick);
    else if (actor === 14 && pick % 4 === 0) this.#setSuspended(!this.#suspended);
  }

  /** Lets kubelet and controller go on, undisturbed, until nothing is left to do. */
  settle(): void {
    if (this.#suspended) this.#setSuspended(false);
    for (let step = 0; step < 2000; step += 1) {
      const before = this.#version;
      this.#clock += 1;
      this.#sync();
      this.#kubelet(step);
      if (this.#version === before && step > 3) return;
    }
    throw new Error("The small cluster never comes to rest.");
  }

  get #indexed(): boolean {
    return this.#job.completionMode === "Indexed";
  }

  get #now(): string {
    return new Date(BEGAN + this.#clock * 1000).toISOString().replace(".000Z", "Z");
  }

  // --- the controller: one small step ---

  #sync(): void {
    if (this.truth.ended !== undefined) return this.#releaseRest();
    if (this.#status.startTime === undefined && !this.#suspended) {
      this.#status.startTime = this.#now;
      return this.#emitJob("MODIFIED");
    }
    if (this.#job.tracked) this.#syncTracked();
    else this.#syncUntracked();
  }

  #syncTracked(): void {
    if (this.#listFinished() || this.#takeFinalizerOff() || this.#countListed()) return;
    if (this.#suspended) return this.#releaseOne(this.#active());
    const interim = this.#interim();
    if (interim === "FailureTarget") return this.#fail();
    if (interim === "SuccessCriteriaMet" || this.counted.succeeded >= this.#job.completions) {
      return this.#succeed(interim);
    }
    if (this.counted.failed > this.#job.backoffLimit) return this.#condition("FailureTarget", "BackoffLimitExceeded");
    this.#createPods();
  }

  #interim(): string | undefined {
    return this.#status.conditions.find(({ type }) => type === "FailureTarget" || type === "SuccessCriteriaMet")?.type;
  }

  /** 3.1 step 1: note who is finished. Indexed successes go into the index set at once. */
  #listFinished(): boolean {
    const { uncounted, completedIndexes } = this.#status;
    let changed = false;
    for (const pod of this.#pods.values()) {
      if (!pod.finalizer || uncounted.failed.includes(pod.uid) || uncounted.succeeded.includes(pod.uid)) continue;
      if (pod.phase === "Succeeded" && this.#indexed) {
        if (pod.index === undefined || completedIndexes.has(pod.index)) continue;
        completedIndexes.add(pod.index);
      } else if (pod.phase === "Succeeded") uncounted.succeeded.push(pod.uid);
      else if (this.#countsAsFailed(pod)) uncounted.failed.push(pod.uid);
      else continue;
      changed = true;
    }
    if (changed) this.#emitJob("MODIFIED");
    return changed;
  }

  /** 3.3, a to d. */
  #countsAsFailed({ phase, deletionTimestamp }: Pod): boolean {
    if (phase === "Failed") return true;
    const interim = this.#interim();
    const isEager = this.#job.podReplacementPolicy === "TerminatingOrFailed";
    return (
      deletionTimestamp !== undefined && interim !== "SuccessCriteriaMet" && (isEager || interim === "FailureTarget")
    );
  }

  /** 3.1 step 2. */
  #takeFinalizerOff(): boolean {
    const { uncounted, completedIndexes } = this.#status;
    const counted = [...this.#pods.values()].find(
      (pod) =>
        pod.finalizer &&
        (uncounted.failed.includes(pod.uid) ||
          uncounted.succeeded.includes(pod.uid) ||
          (this.#indexed && pod.phase === "Succeeded" && completedIndexes.has(pod.index ?? -1))),
    );
    if (counted === undefined) return false;
    this.#removeFinalizer(counted);
    return true;
  }

  /** 3.1 step 3. */
  #countListed(): boolean {
    const { uncounted } = this.#status;
    const off = (uid: string): boolean => this.#pods.get(uid)?.finalizer !== true;
    const succeeded = uncounted.succeeded.filter(off).length;
    const failed = uncounted.failed.filter(off).length;
    if (succeeded + failed === 0) return false;
    this.#status.uncounted = {
      succeeded: uncounted.succeeded.filter((uid) => !off(uid)),
      failed: uncounted.failed.filter((uid) => !off(uid)),
    };
    this.#status.succeeded += succeeded;
    this.#status.failed += failed;
    this.#emitJob("MODIFIED");
    return true;
  }

  #fail(): void {
    const [active] = this.#active();
    if (active !== undefined) return this.#requestDeletion(active);
    if (this.#terminating().length === 0) this.#condition("Failed", "BackoffLimitExceeded");
  }

  #succeed(interim: string | undefined): void {
    const [active] = this.#active();
    if (active !== undefined) return this.#releaseOne([active]);
    if (interim === undefined) return this.#condition("SuccessCriteriaMet", "CompletionsReached");
    const lingering = this.#terminating().find(({ finalizer }) => finalizer);
    if (lingering !== undefined) return this.#removeFinalizer(lingering);
    if (this.#terminating().length === 0) this.#condition("Complete", "CompletionsReached");
  }

  /** The controller before finalizer tracking: it counts the Pods that exist. */
  #syncUntracked(): void {
    const all = [...this.#pods.values()];
    const succeeded = all.filter(({ phase }) => phase === "Succeeded").length;
    const failed = all.filter(({ phase }) => phase === "Failed").length;
    if (succeeded !== this.#status.succeeded || failed !== this.#status.failed) {
      this.#status.succeeded = succeeded;
      this.#status.failed = failed;
      return this.#emitJob("MODIFIED");
    }
    const [active] = this.#active();
    if (this.#suspended) {
      if (active !== undefined) this.#requestDeletion(active);
      return;
    }
    const verdict =
      failed > this.#job.backoffLimit ? "Failed" : succeeded >= this.#job.completions ? "Complete" : undefined;
    if (verdict === undefined) return this.#createPods();
    if (active !== undefined) return this.#requestDeletion(active);
    this.#condition(verdict, verdict === "Failed" ? "BackoffLimitExceeded" : undefined);
  }

  #releaseRest(): void {
    const left = [...this.#pods.values()].find(({ finalizer }) => finalizer);
    if (left !== undefined) this.#removeFinalizer(left);
  }

  /** 3.4: the finalizer goes first, then the Pod. */
  #releaseOne(pods: readonly Pod[]): void {
    const [pod] = pods;
    if (pod === undefined) return;
    if (pod.finalizer) this.#removeFinalizer(pod);
    this.#requestDeletion(pod);
  }

  #createPods(): void {
    const left = this.#job.completions - (this.#job.tracked ? this.counted.succeeded : this.#status.succeeded);
    const occupied =
      this.#active().length + (this.#job.podReplacementPolicy === "Failed" ? this.#terminating().length : 0);
    if (occupied >= Math.min(this.#job.parallelism, left)) return;
    const taken = new Set(this.#active().map(({ index }) => index));
    const index = this.#indexed
      ? [...Array(this.#job.completions).keys()].find(
          (candidate) => !taken.has(candidate) && !this.#status.completedIndexes.has(candidate),
        )
      : undefined;
    if (this.#indexed && index === undefined) return;
    this.#names += 1;
    const pod: Pod = {
      uid: `00000000-0000-4000-9000-${String(this.#names).padStart(12, "0")}`,
      name: `small-${this.#names}`,
      ...(index !== undefined && { index }),
      phase: "Pending",
      finalizer: this.#job.tracked,
      createdAt: this.#now,
    };
    this.#pods.set(pod.uid, pod);
    this.#emitPod("ADDED", pod);
  }

  #condition(type: string, reason: string | undefined): void {
    this.#status.conditions.push({
      type,
      status: "True",
      ...(reason !== undefined && { reason }),
      lastTransitionTime: this.#now,
    });
    if (type === "Complete") this.#status.completionTime = this.#now;
    this.#emitJob("MODIFIED");
  }

  // --- the others ---

  /** The kubelet brings one Pod one step further. Even picks end with 0, odd ones with 1. */
  #kubelet(pick: number): void {
    const living = [...this.#pods.values()].filter(({ phase }) => phase === "Pending" || phase === "Running");
    const pod = living[pick % Math.max(1, living.length)];
    if (pod === undefined) return this.#reap();
    if (pod.deletionTimestamp === undefined && pod.phase === "Pending") {
      pod.phase = "Running";
      pod.startedAt = this.#now;
      return this.#emitPod("MODIFIED", pod);
    }
    const fails = pod.deletionTimestamp === undefined ? pick % 3 === 1 : pick % 5 !== 0;
    pod.phase = fails ? "Failed" : "Succeeded";
    pod.exitCode = fails ? 1 : 0;
    pod.finishedAt = this.#now;
    (fails ? this.#failed : this.#succeeded).add(pod.uid);
    this.#emitPod("MODIFIED", pod);
    this.#removeIfFree(pod);
  }

  /** A Pod that ended while it was going goes once its finalizer is off. */
  #reap(): void {
    for (const pod of this.#pods.values()) this.#removeIfFree(pod);
  }

  #deletePod(pick: number): void {
    const pods = [...this.#pods.values()].filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
    const pod = pods[pick % Math.max(1, pods.length)];
    if (pod === undefined) return;
    this.#requestDeletion(pod);
  }

  /** Pod GC: a terminal Pod is deleted, counted or not. */
  #collectGarbage(pick: number): void {
    const terminal = [...this.#pods.values()].filter(
      ({ phase, deletionTimestamp }) =>
        (phase === "Succeeded" || phase === "Failed") && deletionTimestamp === undefined,
    );
    const pod = terminal[pick % Math.max(1, terminal.length)];
    if (pod !== undefined) this.#requestDeletion(pod);
  }

  #setSuspended(suspended: boolean): void {
    if (this.truth.ended !== undefined) return;
    this.#suspended = suspended;
    this.#generation += 1;
    this.#emitJob("MODIFIED");
  }

  #active(): readonly Pod[] {
    return this.#living().filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
  }

  #terminating(): readonly Pod[] {
    return this.#living().filter(({ deletionTimestamp }) => deletionTimestamp !== undefined);
  }

  #living(): readonly Pod[] {
    return [...this.#pods.values()].filter(({ phase }) => phase === "Pending" || phase === "Running");
  }

  // --- the store ---

  #requestDeletion(pod: Pod): void {
    if (pod.deletionTimestamp !== undefined) return;
    if (pod.phase === "Pending" || pod.phase === "Running") this.#interrupted.add(pod.uid);
    pod.deletionTimestamp = this.#now;
    this.#emitPod("MODIFIED", pod);
    this.#removeIfFree(pod);
  }

  #removeFinalizer(pod: Pod): void {
    const goes = pod.deletionTimestamp !== undefined && (pod.phase === "Succeeded" || pod.phase === "Failed");
    if (goes) {
      // Taking the last finalizer off a deleting object is its deletion: DELETED still lists it (job-semantics 13).
      this.#pods.delete(pod.uid);
      return this.#emitPod("DELETED", pod);
    }
    pod.finalizer = false;
    this.#emitPod("MODIFIED", pod);
  }

  #removeIfFree(pod: Pod): void {
    const ended = pod.phase === "Succeeded" || pod.phase === "Failed";
    if (!ended || pod.deletionTimestamp === undefined || pod.finalizer || !this.#pods.delete(pod.uid)) return;
    this.#emitPod("DELETED", pod);
  }

  #nextVersion(): string {
    this.#version += 1;
    return String(this.#version);
  }

  #emitJob(type: WatchEvent["type"]): void {
    const { completions, parallelism, backoffLimit, completionMode, podReplacementPolicy, tracked } = this.#job;
    const { startTime, completionTime, succeeded, failed, completedIndexes, uncounted, conditions } = this.#status;
    const status = {
      ...(startTime !== undefined && { startTime }),
      ...(completionTime !== undefined && { completionTime }),
      active: this.#active().length,
      ...(tracked && { terminating: this.#terminating().length }),
      succeeded: this.#indexed ? completedIndexes.size : succeeded,
      failed,
      ...(this.#indexed && { completedIndexes: [...completedIndexes].sort((a, b) => a - b).join(",") }),
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
        suspend: this.#suspended,
        ...(tracked && { podReplacementPolicy }),
        template: { spec: { restartPolicy: "Never", containers: [{ name: "main" }] } },
      },
      status,
    });
  }

  #emitPod(type: WatchEvent["type"], pod: Pod): void {
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
