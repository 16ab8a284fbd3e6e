import type { ClusterContext } from "../job/model/cluster-record.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { firstEnd, isGone, outcomeOf } from "../job/model/outcome.ts";
import { speakingEnd } from "../job/model/pod-end.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { PodSample } from "../job/findings/pod-sample.ts";

/** The most facts an explanation tells. More is not read, and not needed: what is left out repeats what is told. */
export const MAX_CHAIN = 40;

/**
 * What an explanation needs of a Job's Pods. It is shown each of them once, in any order, so that a Job of a million
 * Pods is explained page by page: counts are of all of them, samples are the first by creation.
 */
export class WhyPods {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  /** Pods that did not succeed and do not run any more. */
  readonly unsuccessful = new PodSample();
  /** How these ended: "exit code 1" and how many of them. */
  readonly ends = new Map<string, number>();
  /** What Pods wait for that will not come by itself, and how many of them. */
  readonly waiting = new Map<string, number>();
  /** Pods whose end is told: those that failed; where the Job is gone all that ended, for then it is all there is. */
  readonly ended = new PodSample(MAX_CHAIN);
  /** Pods that somebody deleted. */
  readonly deleted = new PodSample(MAX_CHAIN);

  constructor(job: JobObject, clusterContext: ClusterContext) {
    this.job = job;
    this.clusterContext = clusterContext;
  }

  visit(pod: PodRecord): void {
    const outcome = outcomeOf(pod);
    if (outcome === "Failed" || outcome === "Unknown") {
      this.unsuccessful.add(pod);
      increase(this.ends, endText(pod));
    }
    const waiting = waitingReason(pod);
    if (waiting !== undefined) increase(this.waiting, waiting);
    if (this.#isEndTold(pod)) this.ended.add(pod);
    if ((pod.deletionRequested ?? pod.deleted) !== undefined) this.deleted.add(pod);
  }

  #isEndTold(pod: PodRecord): boolean {
    const end = firstEnd(pod)?.phase;
    return end === "Failed" || (end !== undefined && (this.job.deleted ?? this.job.vanished) !== undefined);
  }
}

function waitingReason(pod: PodRecord): string | undefined {
  return outcomeOf(pod) === "Active" && !isGone(pod) ? pod.observed?.waiting?.reason : undefined;
}

/** How a Pod that did not succeed ended, for counting and for a sentence: "exit code 137". */
export function endText(pod: PodRecord): string {
  const end = speakingEnd(pod);
  if (end !== undefined) return `exit code ${end.exitCode}`;
  return outcomeOf(pod) === "Unknown" ? "an end that nobody saw" : "no exit code";
}

function increase(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
