import { type Fact, isJobFact, isPodFact, type JobFact, type PodFact } from "../job/model/fact.ts";
import type { JobUid } from "../job/model/ids.ts";
import { type JobObject, joinJobObjectFact } from "../job/model/job-record.ts";
import { joinPodFact, type PodRecord } from "../job/model/pod-record.ts";

/** Detects facts that repeat earlier facts. */
export interface FactDeduplicator {
  /**
   * Remembers `fact`. False where joining it to the remembered facts changes nothing.
   * Facts that belong to no Job are always new.
   */
  isNew(fact: Fact): boolean;
}

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
 * Translation is stateless and repeats itself with every watch event: a Pod observed six times is created six
 * times.
 * The join ignores repeats, but each one costs log and queue. The deduplicator keeps them out of segments.
 * It forgets deleted objects, and the oldest ones at its limits. Forgetting causes repeats, but never loses a
 * fact.
 */
export function createFactDeduplicator(limits: FactDeduplicatorLimits): FactDeduplicator {
  const known = new Map<JobUid, Remembered>();
  let pods = 0;

  const forget = (uid: JobUid, remembered: Remembered) => {
    known.delete(uid);
    pods -= remembered.pods.size;
  };
  /** Moves the Job to the end: a Map keeps the order in which keys were set. */
  const touch = (uid: JobUid): Remembered => {
    const remembered = known.get(uid) ?? { job: { uid }, pods: new Map<string, PodRecord>() };
    known.delete(uid);
    known.set(uid, remembered);
    return remembered;
  };
  const joinPod = (remembered: Remembered, fact: PodFact): boolean => {
    const before = remembered.pods.get(fact.podUid);
    const after = joinPodFact(before ?? { uid: fact.podUid }, fact);
    if (after === before) return false;
    if (before === undefined) pods += 1;
    remembered.pods.set(fact.podUid, after);
    return true;
  };
  const join = (remembered: Remembered, fact: JobFact): boolean => {
    if (isPodFact(fact)) return joinPod(remembered, fact);
    const after = joinJobObjectFact(remembered.job, fact);
    const isNew = after !== remembered.job;
    remembered.job = after;
    return isNew;
  };
  const forgetOldest = () => {
    for (const [uid, remembered] of known) {
      if (known.size <= limits.jobs && pods <= limits.pods) return;
      forget(uid, remembered);
    }
  };

  return {
    isNew(fact) {
      if (!isJobFact(fact)) return true;
      const remembered = touch(fact.jobUid);
      const isNew = join(remembered, fact);
      if (fact.kind === "JobDeleted") forget(fact.jobUid, remembered);
      if (fact.kind === "PodDeleted" && remembered.pods.delete(fact.podUid)) pods -= 1;
      forgetOldest();
      return isNew;
    },
  };
}
