import type { Fact, FactKind, ParentObserved } from "../../job/model/fact.ts";
import { statusOf } from "../../parents/status/statuses.ts";
import { trueCondition } from "../../parents/status/watched-status.ts";

/**
 * How long the creation of a Job waits, so that a Job whose Pod starts at once is written once for both. A Pod whose
 * image is present starts after one to two seconds. Facts that are due within the linger time are sealed in the same
 * segment.
 */
const START_MILLIS = 3_000;
/** Observations that change no count, verdict or finding wait this long for the next fact of their Job. */
const PROGRESS_MILLIS = 4_000;
/** The Job controller counts a succeeded Pod, and finishes the Job, within two seconds. */
const SUCCESS_MILLIS = 2_000;
/**
 * How long the run times of a CronJob wait (SegmentBatcher). A CronJob is written when a run begins and when it ends,
 * and two of three runs end within this time. The Jobs of the runs report the same times. The position never passes a
 * waiting fact, and an API server keeps events of 75 s in its watch cache.
 */
const CRON_JOB_MILLIS = 70_000;

/** How long a fact of each kind can wait; 0 if it changes what an answer concludes. */
const HOLD_MILLIS: { readonly [Kind in FactKind]: number } = {
  PodScheduled: PROGRESS_MILLIS,
  PodReserved: PROGRESS_MILLIS,
  PodStarted: PROGRESS_MILLIS,
  PodObserved: PROGRESS_MILLIS,
  PodTracked: PROGRESS_MILLIS,
  PodUntracked: PROGRESS_MILLIS,
  PodReleased: PROGRESS_MILLIS,
  JobReported: PROGRESS_MILLIS,
  JobTracked: PROGRESS_MILLIS,
  JobUntracked: PROGRESS_MILLIS,
  ContainerEnded: PROGRESS_MILLIS,
  PodTerminated: SUCCESS_MILLIS,
  CronJobObserved: CRON_JOB_MILLIS,
  ParentObserved: PROGRESS_MILLIS,
  ParentDeleted: 0,
  JobCreated: START_MILLIS,
  JobSpecified: START_MILLIS,
  PodCreated: START_MILLIS,
  JobFinished: 0,
  JobDeletionRequested: 0,
  JobDeleted: 0,
  JobVanished: 0,
  PodDisrupted: 0,
  PodDeletionRequested: 0,
  PodDeleted: 0,
  PodVanished: 0,
  NodeObserved: 0,
  NodeDeleted: 0,
  CronJobDeleted: 0,
  NamespaceObserved: 0,
  NamespaceDeleted: 0,
  EventHinted: 0,
  RequestHinted: 0,
  EvictionObserved: 0,
  GapRecorded: 0,
  ClusterObserved: 0,
};

/** How long a fact can wait for others of its Job. Facts about trouble never wait. */
export function holdMillis(fact: Fact): number {
  return isTrouble(fact) ? 0 : HOLD_MILLIS[fact.kind];
}

/**
 * Whether a fact reports trouble: a failure, an eviction, a restart or a reason to wait, which are causes and findings.
 * A changed spec also counts, because it may suspend the Job.
 */
function isTrouble(fact: Fact): boolean {
  if (fact.kind === "ParentObserved") return isTroubleOfRun(fact);
  if (fact.kind === "JobSpecified") return fact.generation > 1;
  if (fact.kind === "ContainerEnded") return fact.exitCode !== 0;
  if (fact.kind === "PodTerminated") return fact.phase !== "Succeeded";
  if (fact.kind !== "PodObserved") return false;
  return fact.restarts > 0 || fact.waiting !== undefined || fact.unscheduled !== undefined;
}

function isTroubleOfRun(fact: ParentObserved): boolean {
  const isFailed = statusOf(fact.of)?.state(fact)?.state === "Failed";
  return isFailed || trueCondition(fact, "Evicted") !== undefined || trueCondition(fact, "Preempted") !== undefined;
}

/** The object whose facts are sent together: a Job with its Pods, a run with its Workloads, or a CronJob. */
export function holdKey(fact: Fact): string | undefined {
  if ("jobUid" in fact) return fact.jobUid;
  if ("runUid" in fact) return fact.runUid;
  return "cronJobUid" in fact ? fact.cronJobUid : undefined;
}
