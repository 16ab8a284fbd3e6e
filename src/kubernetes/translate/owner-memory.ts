import { type Fact, isPodFact, type PodFact } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import { compareOrder, type Order } from "../../job/model/order.ts";

/** The most Jobs that are remembered of one Pod, the first ones: who passes a Pod on more often than this has its end told to the last. */
const MAX_JOBS = 4;

/** A Job that a Pod was seen to be of; the order is that of the first such observation. */
interface Owned extends Order {
  readonly jobUid: JobUid;
}

const NONE: readonly Owned[] = [];

/**
 * Of which Jobs each Pod was seen to be. A Pod that is released or orphaned loses its owner reference, and where it was released for its labels also the one
 * that names its Job; with a selector of the user's own there never was such a label. Another Job may adopt it. Whoever watches knows from before.
 *
 * Bounded: beyond `limit` Pods the one that was heard of least recently is forgotten, and its release is then not seen. Pods are forgotten once they are gone,
 * unless `keepsGone`: then what is told of them may still come, from a recording in any order.
 */
export class OwnerMemory {
  readonly #jobs = new Map<PodUid, readonly Owned[]>();
  readonly #limit: number;
  readonly #keepsGone: boolean;

  constructor(limit: number, { keepsGone = false }: { readonly keepsGone?: boolean } = {}) {
    this.#limit = limit;
    this.#keepsGone = keepsGone;
  }

  /** For `translate`: the Jobs that the Pod was of before `observation`. A Pod that is nobody's yet, and is adopted later, was not released. */
  readonly jobsOf = (pod: PodUid, observation: Order): readonly JobUid[] => {
    const known = this.#jobs.get(pod) ?? NONE;
    return known.filter((owned) => compareOrder(owned, observation) < 0).map(({ jobUid }) => jobUid);
  };

  /** Learns from the facts of one watch event. */
  remember(facts: readonly Fact[]): void {
    const [first] = facts;
    if (first === undefined || !isPodFact(first)) return;
    const jobs = withJob(this.#jobs.get(first.podUid) ?? NONE, first);
    // A Map keeps the order in which keys were set: to set it anew moves the Pod to the young end.
    this.#jobs.delete(first.podUid);
    if (!this.#keepsGone && facts.some(({ kind }) => kind === "PodDeleted")) return;
    this.#jobs.set(first.podUid, jobs);
    if (this.#jobs.size > this.#limit) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const oldest of this.#jobs.keys()) {
      this.#jobs.delete(oldest);
      return;
    }
  }
}

function withJob(known: readonly Owned[], { jobUid, epoch, resourceVersion }: PodFact): readonly Owned[] {
  const owned = { jobUid, epoch, resourceVersion };
  const same = known.find((other) => other.jobUid === jobUid);
  if (same === undefined) return known.length < MAX_JOBS ? [...known, owned] : known;
  return compareOrder(same, owned) <= 0 ? known : known.map((other) => (other === same ? owned : other));
}
