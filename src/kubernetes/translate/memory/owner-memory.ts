import { type Fact, isPodFact, type PodFact } from "../../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../../job/model/ids.ts";
import { compareOrder, type Order } from "../../../job/model/order.ts";

/** The maximum number of Jobs remembered per Pod. The first ones are kept. */
const MAX_JOBS = 4;

/** A Job of a Pod, with the order of the first observation that showed it. */
interface Owned extends Order {
  readonly jobUid: JobUid;
}

const NONE: readonly Owned[] = [];

/**
 * The Jobs to which observations assigned each Pod. A released or orphaned Pod loses its owner reference, and possibly
 * the label that names its Job; with a custom selector it never had that label. Another Job may adopt it.
 *
 * Beyond `limit` Pods, the least recently observed Pod is forgotten, and its release then goes unnoticed. Deleted Pods
 * are forgotten too, unless `keepsDeleted`: a recording may contain their events in any order.
 */
export class OwnerMemory {
  readonly #jobs = new Map<PodUid, readonly Owned[]>();
  readonly #limit: number;
  readonly #keepsDeleted: boolean;

  constructor(limit: number, { keepsDeleted = false }: { readonly keepsDeleted?: boolean } = {}) {
    this.#limit = limit;
    this.#keepsDeleted = keepsDeleted;
  }

  /**
   * For `translate`: the Jobs that the Pod belonged to before `observation`. A Job that adopts the Pod later has not
   * released it.
   */
  readonly jobsOf = (pod: PodUid, observation: Order): readonly JobUid[] => {
    const known = this.#jobs.get(pod) ?? NONE;
    return known.filter((owned) => compareOrder(owned, observation) < 0).map(({ jobUid }) => jobUid);
  };

  /** Learns from the facts of one watch event. */
  remember(facts: readonly Fact[]): void {
    const [first] = facts;
    if (first === undefined || !isPodFact(first)) return;
    const jobs = withJob(this.#jobs.get(first.podUid) ?? NONE, first);
    // A Map keeps the order in which keys were set. Setting the key again moves the Pod to the end.
    this.#jobs.delete(first.podUid);
    if (!this.#keepsDeleted && facts.some(({ kind }) => kind === "PodDeleted")) return;
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
