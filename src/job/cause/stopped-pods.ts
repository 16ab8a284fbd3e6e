import { type CauseContext, causeOfPod, isReleasedByJob } from "./cause-of-pod.ts";
import { reportedTotal } from "../accounting/reported-total.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import type { Attribution } from "../attribution/attribution.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { outcomeOf } from "../model/outcome.ts";
import { isOwnSuccess } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** Pods that were stopped before their work was done, and that are no failures of it. */
export interface StoppedPods {
  /** The Job controller stopped them for a suspension. Kubernetes counts them neither way. */
  readonly bySuspension: number;
  /** The same, for a suspension or because the Job was scaled down. */
  readonly byRelease: number;
  /** The same, because the Job needed fewer Pods. */
  readonly surplus: number;
  /** They went with the Job's end. */
  readonly byEnd: number;
  /** They were deleted while they ran, and their programs answered with exit code 0. */
  readonly answered?: AnsweredDeletions;
}

export interface AnsweredDeletions {
  readonly pods: number;
  /** Who deleted the first of them. */
  readonly by: Pick<Attribution, "actor" | "confidence">;
  /** How Kubernetes counts them; absent if its counters do not show that. */
  readonly countedAs?: "succeeded" | "failed";
}

/** Visits every Pod of a Job once, in any order, and counts those that were stopped. */
export class StoppedPodsSearch {
  readonly #context: CauseContext;
  #bySuspension = 0;
  #byRelease = 0;
  #surplus = 0;
  #byEnd = 0;
  #answered = 0;
  #succeeded = 0;
  #firstAnswered: PodRecord | undefined;

  constructor(context: CauseContext) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    const outcome = outcomeOf(pod);
    if (outcome === "Succeeded") this.#succeeded += 1;
    if (pod.deletionRequested === undefined) return;
    if (isTakenByVerdict(pod, this.#context.job)) this.#visitTaken(pod);
    else if (isReleasedByJob(pod, this.#context)) this.#visitReleased(pod);
    else if (outcome === "Succeeded" && !isOwnSuccess(pod)) this.#visitAnswered(pod);
  }

  found(): StoppedPods | undefined {
    const answered = this.#answers();
    const [bySuspension, byRelease] = [this.#bySuspension, this.#byRelease];
    const [surplus, byEnd] = [this.#surplus, this.#byEnd];
    if (answered === undefined && bySuspension + byRelease + surplus + byEnd === 0) return undefined;
    return { bySuspension, byRelease, surplus, byEnd, ...(answered !== undefined && { answered }) };
  }

  /** A Pod that had failed before, or had never run, is a cause of the end itself. */
  #visitTaken(pod: PodRecord): void {
    if (causeOfPod(pod, this.#context) === undefined) this.#byEnd += 1;
  }

  #visitReleased(pod: PodRecord): void {
    const cause = this.#deleterOf(pod)?.cause.cause;
    if (cause === "jobSuspended") this.#bySuspension += 1;
    if (cause === "suspendedOrScaledDown") this.#byRelease += 1;
    if (cause === "notNeeded") this.#surplus += 1;
  }

  /** The garbage collector deletes Pods with their Job, which is said of the Job itself. */
  #visitAnswered(pod: PodRecord): void {
    if (this.#deleterOf(pod)?.actor === "generic-garbage-collector") return;
    this.#answered += 1;
    const first = this.#firstAnswered;
    if (first === undefined || isBefore(pod, first)) this.#firstAnswered = pod;
  }

  #answers(): AnsweredDeletions | undefined {
    const first = this.#firstAnswered;
    if (first === undefined) return undefined;
    const { actor, confidence } = this.#deleterOf(first) ?? { actor: "unknown", confidence: "possible" };
    const countedAs = this.#countedAs();
    return { pods: this.#answered, by: { actor, confidence }, ...(countedAs !== undefined && { countedAs }) };
  }

  /** The counters of a Job that is final or has settled show how these Pods were counted, if they are all alike. */
  #countedAs(): AnsweredDeletions["countedAs"] {
    const { reported, complete, failed } = this.#context.job;
    if (reported === undefined || (complete ?? failed) === undefined) return undefined;
    if (reportedTotal(reported.status, "failed") === 0) return "succeeded";
    const missing = this.#succeeded - reportedTotal(reported.status, "succeeded");
    return missing === this.#answered ? "failed" : undefined;
  }

  #deleterOf(pod: PodRecord): Attribution | undefined {
    return attributePodDeletion(pod, this.#context.job, this.#context.clusterContext);
  }
}

function isBefore(a: PodRecord, b: PodRecord): boolean {
  const [at, bt] = [a.deletionRequested?.requestedAt ?? 0, b.deletionRequested?.requestedAt ?? 0];
  return at < bt || (at === bt && a.uid < b.uid);
}
