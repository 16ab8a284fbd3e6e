import { type Fact, isPodFact } from "../job/fact.ts";
import type { JobUid, PodUid } from "../job/ids.ts";

/**
 * Which Job each Pod was last seen to be of. A Pod that is released loses its owner reference, and the label that names its Job where it was released for
 * that; with a selector of the user's own there never was such a label. Whoever watches knows the Job from before.
 *
 * Bounded: beyond `limit` Pods the one that was heard of least recently is forgotten, and its release is then not seen. Pods are forgotten once they are gone.
 */
export class OwnerMemory {
  readonly #jobs = new Map<PodUid, JobUid>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** For `translate`. */
  readonly jobOf = (pod: PodUid): JobUid | undefined => this.#jobs.get(pod);

  /** Learns from the facts of one watch event. */
  remember(facts: readonly Fact[]): void {
    const [first] = facts;
    if (first === undefined || !isPodFact(first)) return;
    // A Map keeps the order in which keys were set: to set it anew moves the Pod to the young end.
    this.#jobs.delete(first.podUid);
    if (facts.some(({ kind }) => kind === "PodDeleted")) return;
    this.#jobs.set(first.podUid, first.jobUid);
    if (this.#jobs.size <= this.#limit) return;
    for (const oldest of this.#jobs.keys()) {
      this.#jobs.delete(oldest);
      return;
    }
  }
}
