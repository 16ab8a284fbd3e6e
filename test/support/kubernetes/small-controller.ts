import type { Pod, SmallStore } from "./small-store.ts";

/** A Job controller that follows upstream's semantics in small steps, so that anything can happen between two steps. */
export class SmallController {
  readonly #store: SmallStore;
  #names = 0;

  constructor(store: SmallStore) {
    this.#store = store;
  }

  /** The counters and lists of the controller, as if everything were counted. */
  get counted(): { readonly succeeded: number; readonly failed: number; readonly completedIndexes: readonly number[] } {
    const { succeeded, failed, uncounted, completedIndexes } = this.#store.status;
    return {
      succeeded: this.#store.isIndexed ? completedIndexes.size : succeeded + uncounted.succeeded.length,
      failed: failed + uncounted.failed.length,
      completedIndexes: [...completedIndexes].sort((a, b) => a - b),
    };
  }

  /** One small step. */
  sync(): void {
    if (this.#store.truth.ended !== undefined) return this.#releaseRest();
    if (this.#store.status.startTime === undefined && !this.#store.isSuspended) {
      this.#store.status.startTime = this.#store.now;
      return this.#store.emitJob("MODIFIED");
    }
    if (this.#store.job.tracked) this.#syncTracked();
    else this.#syncUntracked();
  }

  #syncTracked(): void {
    if (this.#listFinished() || this.#takeFinalizerOff() || this.#countListed()) return;
    if (this.#store.isSuspended) return this.#releaseOne(this.#store.active());
    const interim = this.#interim();
    if (interim === "FailureTarget") return this.#fail();
    if (interim === "SuccessCriteriaMet" || this.counted.succeeded >= this.#store.job.completions) {
      return this.#succeed(interim);
    }
    if (this.counted.failed > this.#store.job.backoffLimit) {
      return this.#condition("FailureTarget", "BackoffLimitExceeded");
    }
    this.#createPods();
  }

  #interim(): string | undefined {
    return this.#store.status.conditions.find(({ type }) => type === "FailureTarget" || type === "SuccessCriteriaMet")
      ?.type;
  }

  /** 3.1 step 1: record the finished Pods. Indexed successes are added to the index set at once. */
  #listFinished(): boolean {
    const { uncounted, completedIndexes } = this.#store.status;
    let changed = false;
    for (const pod of this.#store.pods.values()) {
      if (!pod.finalizer || uncounted.failed.includes(pod.uid) || uncounted.succeeded.includes(pod.uid)) continue;
      if (pod.phase === "Succeeded" && this.#store.isIndexed) {
        if (pod.index === undefined || completedIndexes.has(pod.index)) continue;
        completedIndexes.add(pod.index);
      } else if (pod.phase === "Succeeded") uncounted.succeeded.push(pod.uid);
      else if (this.#countsAsFailed(pod)) uncounted.failed.push(pod.uid);
      else continue;
      changed = true;
    }
    if (changed) this.#store.emitJob("MODIFIED");
    return changed;
  }

  /** 3.3, a to d. */
  #countsAsFailed({ phase, deletionTimestamp }: Pod): boolean {
    if (phase === "Failed") return true;
    const interim = this.#interim();
    const isEager = this.#store.job.podReplacementPolicy === "TerminatingOrFailed";
    return (
      deletionTimestamp !== undefined && interim !== "SuccessCriteriaMet" && (isEager || interim === "FailureTarget")
    );
  }

  /** 3.1 step 2. */
  #takeFinalizerOff(): boolean {
    const { uncounted, completedIndexes } = this.#store.status;
    const counted = [...this.#store.pods.values()].find(
      (pod) =>
        pod.finalizer &&
        (uncounted.failed.includes(pod.uid) ||
          uncounted.succeeded.includes(pod.uid) ||
          (this.#store.isIndexed && pod.phase === "Succeeded" && completedIndexes.has(pod.index ?? -1))),
    );
    if (counted === undefined) return false;
    this.#store.removeFinalizer(counted);
    return true;
  }

  /** 3.1 step 3. */
  #countListed(): boolean {
    const { uncounted } = this.#store.status;
    const off = (uid: string): boolean => this.#store.pods.get(uid)?.finalizer !== true;
    const succeeded = uncounted.succeeded.filter(off).length;
    const failed = uncounted.failed.filter(off).length;
    if (succeeded + failed === 0) return false;
    this.#store.status.uncounted = {
      succeeded: uncounted.succeeded.filter((uid) => !off(uid)),
      failed: uncounted.failed.filter((uid) => !off(uid)),
    };
    this.#store.status.succeeded += succeeded;
    this.#store.status.failed += failed;
    this.#store.emitJob("MODIFIED");
    return true;
  }

  #fail(): void {
    const [active] = this.#store.active();
    if (active !== undefined) return this.#store.requestDeletion(active);
    if (this.#store.terminating().length === 0) this.#condition("Failed", "BackoffLimitExceeded");
  }

  #succeed(interim: string | undefined): void {
    const [active] = this.#store.active();
    if (active !== undefined) return this.#releaseOne([active]);
    if (interim === undefined) return this.#condition("SuccessCriteriaMet", "CompletionsReached");
    const lingering = this.#store.terminating().find(({ finalizer }) => finalizer);
    if (lingering !== undefined) return this.#store.removeFinalizer(lingering);
    if (this.#store.terminating().length === 0) this.#condition("Complete", "CompletionsReached");
  }

  /** The controller before finalizer tracking, which counts the existing Pods. */
  #syncUntracked(): void {
    const all = [...this.#store.pods.values()];
    const succeeded = all.filter(({ phase }) => phase === "Succeeded").length;
    const failed = all.filter(({ phase }) => phase === "Failed").length;
    if (succeeded !== this.#store.status.succeeded || failed !== this.#store.status.failed) {
      this.#store.status.succeeded = succeeded;
      this.#store.status.failed = failed;
      return this.#store.emitJob("MODIFIED");
    }
    const [active] = this.#store.active();
    if (this.#store.isSuspended) {
      if (active !== undefined) this.#store.requestDeletion(active);
      return;
    }
    const verdict =
      failed > this.#store.job.backoffLimit
        ? "Failed"
        : succeeded >= this.#store.job.completions
          ? "Complete"
          : undefined;
    if (verdict === undefined) return this.#createPods();
    if (active !== undefined) return this.#store.requestDeletion(active);
    this.#condition(verdict, verdict === "Failed" ? "BackoffLimitExceeded" : undefined);
  }

  #releaseRest(): void {
    const left = [...this.#store.pods.values()].find(({ finalizer }) => finalizer);
    if (left !== undefined) this.#store.removeFinalizer(left);
  }

  /** 3.4: removes the finalizer, then the Pod. */
  #releaseOne(pods: readonly Pod[]): void {
    const [pod] = pods;
    if (pod === undefined) return;
    if (pod.finalizer) this.#store.removeFinalizer(pod);
    this.#store.requestDeletion(pod);
  }

  #createPods(): void {
    const left =
      this.#store.job.completions - (this.#store.job.tracked ? this.counted.succeeded : this.#store.status.succeeded);
    const occupied =
      this.#store.active().length +
      (this.#store.job.podReplacementPolicy === "Failed" ? this.#store.terminating().length : 0);
    if (occupied >= Math.min(this.#store.job.parallelism, left)) return;
    const taken = new Set(this.#store.active().map(({ index }) => index));
    const index = this.#store.isIndexed
      ? [...Array(this.#store.job.completions).keys()].find(
          (candidate) => !taken.has(candidate) && !this.#store.status.completedIndexes.has(candidate),
        )
      : undefined;
    if (this.#store.isIndexed && index === undefined) return;
    this.#names += 1;
    const pod: Pod = {
      uid: `00000000-0000-4000-9000-${String(this.#names).padStart(12, "0")}`,
      name: `small-${this.#names}`,
      ...(index !== undefined && { index }),
      phase: "Pending",
      finalizer: this.#store.job.tracked,
      createdAt: this.#store.now,
    };
    this.#store.pods.set(pod.uid, pod);
    this.#store.emitPod("ADDED", pod);
  }

  #condition(type: string, reason: string | undefined): void {
    this.#store.status.conditions.push({
      type,
      status: "True",
      ...(reason !== undefined && { reason }),
      lastTransitionTime: this.#store.now,
    });
    if (type === "Complete") this.#store.status.completionTime = this.#store.now;
    this.#store.emitJob("MODIFIED");
  }
}
