import { type Fact, isPodFact } from "../job/fact.ts";
import type { JobUid, PodUid } from "../job/ids.ts";

/** The most Jobs that are remembered of one Pod, the first ones: who passes a Pod on more often than this has its end told to the last. */
const MAX_JOBS = 4;

const NONE: readonly JobUid[] = [];

/**
 * Of which Jobs each Pod was seen to be. A Pod that is released or orphaned loses its owner reference, and where it was released for its labels also the one
 * that names its Job; with a selector of the user's own there never was such a label. Another Job may adopt it. Whoever watches knows from before.
 *
 * Bounded: beyond `limit` Pods the one that was heard of least recently is forgotten, and its release is then not seen. Pods are forgotten once they are gone.
 */
export class OwnerMemory {
  readonly #jobs = new Map<PodUid, readonly JobUid[]>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** For `translate`. */
  readonly jobsOf = (pod: PodUid): readonly JobUid[] => this.#jobs.get(pod) ?? NONE;

  /** Learns from the facts of one watch event. */
  remember(facts: readonly Fact[]): void {
    const [first] = facts;
    if (first === undefined || !isPodFact(first)) return;
    const jobs = this.#withJob(first.podUid, first.jobUid);
    // A Map keeps the order in which keys were set: to set it anew moves the Pod to the young end.
    this.#jobs.delete(first.podUid);
    if (facts.some(({ kind }) => kind === "PodDeleted")) return;
    this.#jobs.set(first.podUid, jobs);
    if (this.#jobs.size > this.#limit) this.#forgetOldest();
  }

  #withJob(pod: PodUid, job: JobUid): readonly JobUid[] {
    const known = this.jobsOf(pod);
    return known.includes(job) || known.length >= MAX_JOBS ? known : [...known, job];
  }

  #forgetOldest(): void {
    for (const oldest of this.#jobs.keys()) {
      this.#jobs.delete(oldest);
      return;
    }
  }
}
