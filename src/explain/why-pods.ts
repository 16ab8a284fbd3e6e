import type { ClusterContext } from "../job/model/cluster-record.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { causeOfPod } from "../job/cause/cause-of-pod.ts";
import { firstEnd, outcomeOf } from "../job/model/outcome.ts";
import { describeCause } from "./cause/describe-cause.ts";
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
      increase(this.ends, this.endOf(pod));
    }
    if (this.#isEndTold(pod)) this.ended.add(pod);
    if ((pod.deletionRequested ?? pod.deleted) !== undefined) this.deleted.add(pod);
  }

  /** How a Pod that did not succeed ended. A Pod without a cause of its own was deleted because the Job had ended. */
  readonly endOf = (pod: PodRecord): string => {
    const why = causeOfPod(pod, this);
    return why === undefined ? "deleted because the Job had ended" : describeCause(why);
  };

  #isEndTold(pod: PodRecord): boolean {
    const end = firstEnd(pod)?.phase;
    return end === "Failed" || (end !== undefined && (this.job.deleted ?? this.job.vanished) !== undefined);
  }
}

function increase(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
