import { type Fact, isJobFact, isPodFact, type JobFact, type PodFact } from "../job/model/fact.ts";
import type { JobUid } from "../job/model/ids.ts";
import { type JobObject, joinJobObjectFact } from "../job/model/job-record.ts";
import { joinPodFact, type PodRecord, repeatsRequest } from "../job/model/pod-record.ts";

export interface FactDeduplicatorLimits {
  /** The most Jobs to remember. Beyond it, the least recently updated Job is forgotten. */
  readonly jobs: number;
  /**
   * The most Pods to remember, over all Jobs. Beyond it, the least recently updated Job is forgotten with its
   * Pods.
   */
  readonly pods: number;
}

interface Remembered {
  job: JobObject;
  readonly pods: Map<string, PodRecord>;
}

/**
 * Detects facts that repeat earlier facts. Translation is stateless: a Pod observed six times is created six times.
 * The join ignores repeats, but each one costs log and queue, so the deduplicator keeps them out of segments. Of what a
 * Pod reserves, it keeps only changes: an exporter observes a Pod in the order of its changes.
 * It forgets deleted objects, and the oldest ones at its limits. Forgetting causes repeats, but never loses a fact.
 */
export class FactDeduplicator {
  readonly #limits: FactDeduplicatorLimits;
  readonly #jobs = new Map<JobUid, Remembered>();
  #pods = 0;

  constructor(limits: FactDeduplicatorLimits) {
    this.#limits = limits;
  }

  /**
   * Remembers `fact`. False where joining it to the remembered facts changes nothing.
   * Facts that belong to no Job are always new.
   */
  isNew(fact: Fact): boolean {
    if (!isJobFact(fact)) return true;
    const remembered = this.#touch(fact.jobUid);
    const isNew = this.#join(remembered, fact);
    if (fact.kind === "JobDeleted") this.#forget(fact.jobUid, remembered);
    if (fact.kind === "PodDeleted" && remembered.pods.delete(fact.podUid)) this.#pods -= 1;
    this.#forgetOldest();
    return isNew;
  }

  /** Moves the Job to the end: a Map keeps the order in which keys were set. */
  #touch(uid: JobUid): Remembered {
    const remembered = this.#jobs.get(uid) ?? { job: { uid }, pods: new Map<string, PodRecord>() };
    this.#jobs.delete(uid);
    this.#jobs.set(uid, remembered);
    return remembered;
  }

  #join(remembered: Remembered, fact: JobFact): boolean {
    if (isPodFact(fact)) return this.#joinPod(remembered, fact);
    const after = joinJobObjectFact(remembered.job, fact);
    const isNew = after !== remembered.job;
    remembered.job = after;
    return isNew;
  }

  #joinPod({ pods }: Remembered, fact: PodFact): boolean {
    const before = pods.get(fact.podUid);
    if (fact.kind === "PodReserved" && before !== undefined && repeatsRequest(before, fact)) return false;
    const after = joinPodFact(before ?? { uid: fact.podUid }, fact);
    if (after === before) return false;
    if (before === undefined) this.#pods += 1;
    pods.set(fact.podUid, after);
    return true;
  }

  #forget(uid: JobUid, { pods }: Remembered): void {
    this.#jobs.delete(uid);
    this.#pods -= pods.size;
  }

  #forgetOldest(): void {
    for (const [uid, remembered] of this.#jobs) {
      if (this.#jobs.size <= this.#limits.jobs && this.#pods <= this.#limits.pods) return;
      this.#forget(uid, remembered);
    }
  }
}
