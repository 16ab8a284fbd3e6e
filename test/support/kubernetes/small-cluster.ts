import { SmallController } from "./small-controller.ts";
import { type SmallJob, SmallStore, type Truth, type WatchEvent } from "./small-store.ts";

/**
 * A Job controller, a kubelet, a garbage collector and a careless user, all very small, that act in the given order.
 */
export class SmallCluster {
  readonly #store: SmallStore;
  readonly #controller: SmallController;

  constructor(job: SmallJob) {
    this.#store = new SmallStore(job);
    this.#controller = new SmallController(this.#store);
  }

  get events(): readonly WatchEvent[] {
    return this.#store.events;
  }

  get truth(): Truth {
    return this.#store.truth;
  }

  get counted(): SmallController["counted"] {
    return this.#controller.counted;
  }

  /** Performs one possible action: `choice` selects the actor and the object. */
  act(choice: number): void {
    this.#store.tick();
    const actor = choice % 16;
    const pick = Math.floor(choice / 16);
    if (actor < 8) this.#controller.sync();
    else if (actor < 12) this.#kubelet(pick);
    else if (actor === 12) this.#deletePod(pick);
    else if (actor === 13) this.#collectGarbage(pick);
    else if (actor === 14 && pick % 4 === 0) this.#setSuspended(!this.#store.isSuspended);
  }

  /** Runs kubelet and controller until nothing is left to do. */
  settle(): void {
    if (this.#store.isSuspended) this.#setSuspended(false);
    for (let step = 0; step < 2000; step += 1) {
      const before = this.#store.version;
      this.#store.tick();
      this.#controller.sync();
      this.#kubelet(step);
      if (this.#store.version === before && step > 3) return;
    }
    throw new Error("The small cluster never comes to rest.");
  }

  /**
   * The kubelet brings one Pod one step further. One program in three fails; of those that are asked to go, four in
   * five.
   */
  #kubelet(pick: number): void {
    const living = [...this.#store.pods.values()].filter(({ phase }) => phase === "Pending" || phase === "Running");
    const pod = living[pick % Math.max(1, living.length)];
    if (pod === undefined) return this.#reap();
    if (pod.deletionTimestamp === undefined && pod.phase === "Pending") {
      pod.phase = "Running";
      pod.startedAt = this.#store.now;
      return this.#store.emitPod("MODIFIED", pod);
    }
    const fails = pod.deletionTimestamp === undefined ? pick % 3 === 1 : pick % 5 !== 0;
    this.#store.endProgram(pod, fails ? 1 : 0);
  }

  /** A terminated Pod with a deletion timestamp is removed after its finalizer. */
  #reap(): void {
    for (const pod of this.#store.pods.values()) this.#store.removeIfFree(pod);
  }

  #deletePod(pick: number): void {
    const pods = [...this.#store.pods.values()].filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
    const pod = pods[pick % Math.max(1, pods.length)];
    if (pod === undefined) return;
    this.#store.requestDeletion(pod);
  }

  /** Pod GC: a terminal Pod is deleted, counted or not. */
  #collectGarbage(pick: number): void {
    const terminal = [...this.#store.pods.values()].filter(
      ({ phase, deletionTimestamp }) =>
        (phase === "Succeeded" || phase === "Failed") && deletionTimestamp === undefined,
    );
    const pod = terminal[pick % Math.max(1, terminal.length)];
    if (pod !== undefined) this.#store.requestDeletion(pod);
  }

  #setSuspended(suspended: boolean): void {
    if (this.truth.ended === undefined) this.#store.suspend(suspended);
  }
}
