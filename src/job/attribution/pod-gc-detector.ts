import type { EventHinted, Fact, PodDeletionRequested } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import { SWEEPS_REASON, sweepsId, sweepsTarget } from "./pod-gc-record.ts";

/** Pod GC starts a sweep 20 s after it ended the previous one (`gcCheckPeriod`); object times have whole seconds. */
const PAUSE_MS = { from: 19_000, to: 23_000 } as const;
/** Fewer deletions than this, or deletions within one Job, are not a sweep: a user may have made them. */
const MIN_JOBS = 5;
/** Two pauses of that length are hardly chance. */
const MIN_SWEEPS = 3;
/** How often ongoing sweeps are recorded. The interval is long because each record costs a write. */
const EVERY_SWEEPS = 4;

interface Sweep {
  readonly from: Instant;
  to: Instant;
  /** At most {@link MIN_JOBS}. */
  readonly jobs: Set<string>;
}

/**
 * Recognizes Pod GC by its sweeps over a whole cluster: ended Pods of many Jobs are deleted, then none for 20 s, and so
 * on. A single deletion shows no deleter. The state is bounded and is lost in a restart; then three more sweeps are
 * needed (docs/decisions/0024-pod-gc-sweeps.md).
 */
export class PodGcDetector {
  #sweep: Sweep | undefined;
  #chainFrom: Instant = 0;
  /** Sweeps before the current one, each 20 s after the one before. */
  #chain = 0;

  /** The hints that these facts lead to; most often none. */
  hintsOf(facts: readonly Fact[]): readonly EventHinted[] {
    return facts.flatMap((fact) => (isOfEndedPod(fact) ? this.#hintsOf(fact) : []));
  }

  #hintsOf(fact: PodDeletionRequested): readonly EventHinted[] {
    const { requestedAt: at, jobUid } = fact;
    const sweep = this.#sweep;
    if (sweep === undefined || at - sweep.to >= PAUSE_MS.from) return this.#begin(fact, sweep);
    // A Pod whose deletion was already observed is observed again when it disappears.
    if (at < sweep.from) return [];
    sweep.to = Math.max(sweep.to, at);
    if (sweep.jobs.size < MIN_JOBS) sweep.jobs.add(jobUid);
    return [];
  }

  #begin(fact: PodDeletionRequested, last: Sweep | undefined): readonly EventHinted[] {
    const { requestedAt: at, jobUid } = fact;
    this.#sweep = { from: at, to: at, jobs: new Set([jobUid]) };
    if (last === undefined || last.jobs.size < MIN_JOBS) {
      this.#chain = 0;
      return [];
    }
    if (this.#chain === 0) this.#chainFrom = last.from;
    const sweeps = this.#chain + 1;
    const goesOn = at - last.to <= PAUSE_MS.to;
    this.#chain = goesOn ? sweeps : 0;
    const isDue = sweeps === MIN_SWEEPS || !goesOn || sweeps % EVERY_SWEEPS === 0;
    return sweeps >= MIN_SWEEPS && isDue ? [this.#hint(fact, last, sweeps)] : [];
  }

  #hint({ epoch, resourceVersion, at }: PodDeletionRequested, { to }: Sweep, sweeps: number): EventHinted {
    const firstAt = this.#chainFrom;
    return {
      epoch,
      resourceVersion,
      at,
      kind: "EventHinted",
      hintId: sweepsId(firstAt),
      target: sweepsTarget(to),
      reason: SWEEPS_REASON,
      source: "outlive",
      count: sweeps,
      firstAt,
      lastAt: to,
    };
  }
}

/** The API server deletes a Pod that has ended without a grace period. */
function isOfEndedPod(fact: Fact): fact is PodDeletionRequested {
  if (fact.kind !== "PodDeletionRequested" || fact.graceSeconds > 0) return false;
  return fact.phase === "Succeeded" || fact.phase === "Failed";
}
