import type { ClusterContext } from "../job/model/cluster-context.ts";
import type { JobObject } from "../job/model/job-record.ts";
import { causeOfPod, isReleasedByJob } from "../job/cause/cause-of-pod.ts";
import { firstEnd, outcomeOf } from "../job/model/outcome.ts";
import { describeCause } from "./cause/describe-cause.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { LoggedPods } from "./log-links/logged-pods.ts";
import { PodSample } from "../job/evidence/pod-sample.ts";

/** The most facts in an explanation. Further ones would repeat these. */
export const MAX_CHAIN = 40;

/**
 * What an explanation needs from a Job's Pods. Visit each Pod once, in any order: a Job of a million Pods is explained
 * page by page. Counts include all Pods. Samples contain the first Pods by creation.
 */
export class WhyPods {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  /** Pods that ended without success. */
  readonly unsuccessful = new PodSample();
  /** The description of how these Pods ended ("exit code 1"), with their number. */
  readonly ends = new Map<string, number>();
  /** Pods whose ends are shown: failed ones, and all that ended if the Job was deleted. */
  readonly ended = new PodSample(MAX_CHAIN);
  /** Those whose logs are linked. */
  readonly logged = new LoggedPods();
  /** Deleted Pods. */
  readonly deleted = new PodSample(MAX_CHAIN);

  constructor(job: JobObject, clusterContext: ClusterContext) {
    this.job = job;
    this.clusterContext = clusterContext;
  }

  visit(pod: PodRecord): void {
    const outcome = outcomeOf(pod);
    this.logged.visit(pod, outcome);
    if (outcome === "Failed" || outcome === "Unknown") {
      this.unsuccessful.add(pod);
      increase(this.ends, this.endOf(pod));
    }
    if (this.#isEndShown(pod)) this.ended.add(pod);
    if ((pod.deletionRequested ?? pod.deleted) !== undefined) this.deleted.add(pod);
  }

  /** How a Pod that did not succeed ended. If the Pod has no cause of its own, the Job controller stopped it. */
  readonly endOf = (pod: PodRecord): string => {
    const why = causeOfPod(pod, this);
    if (why !== undefined) return describeCause(why);
    return isReleasedByJob(pod, this)
      ? "stopped by the Job controller, not counted"
      : "deleted because the Job had ended";
  };

  #isEndShown(pod: PodRecord): boolean {
    const end = firstEnd(pod)?.phase;
    return end === "Failed" || (end !== undefined && (this.job.deleted ?? this.job.vanished) !== undefined);
  }
}

function increase(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
