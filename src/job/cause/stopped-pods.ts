import { CauseGroup, CauseGroups, causedAt } from "./cause-groups.ts";
import { type CauseContext, causeOfAnswer, causeOfPod, hasAnsweredDeletion, isReleasedByJob } from "./cause-of-pod.ts";
import { reportedTotal } from "../accounting/reported-total.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import type { Attribution } from "../attribution/attribution.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { compareOrder } from "../model/order.ts";
import { outcomeOf } from "../model/outcome.ts";
import { decisiveEnd } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** Pods that were stopped before their work was done, and that are no failures of it. */
export interface StoppedPods {
  /**
   * Pods that the Job controller stopped for a suspension. Kubernetes counts them neither as failed nor as succeeded.
   */
  readonly bySuspension: number;
  /** Pods that it stopped for a suspension or because the Job was scaled down. */
  readonly byRelease: number;
  /** The same, because the Job needed fewer Pods. */
  readonly surplus: number;
  /** They went with the Job's end. */
  readonly byEnd: number;
  /** Pods that were deleted while they ran, and whose programs exited with 0. */
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
  #answeredPods = 0;
  #succeeded = 0;
  #firstAnswered: PodRecord | undefined;
  readonly #answers = new CauseGroups();
  #firstTaken: PodRecord | undefined;

  constructor(context: CauseContext) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    const outcome = outcomeOf(pod);
    if (outcome === "Succeeded") this.#succeeded += 1;
    if (pod.deletionRequested === undefined) return;
    if (isTakenByVerdict(pod, this.#context.job)) this.#visitTaken(pod);
    else if (isReleasedByJob(pod, this.#context)) this.#visitReleased(pod);
    else if (hasAnsweredDeletion(pod, this.#context)) this.#visitAnswered(pod);
  }

  found(): StoppedPods | undefined {
    const answered = this.#answersFailedJob() ? undefined : this.#answered();
    const [bySuspension, byRelease] = [this.#bySuspension, this.#byRelease];
    const [surplus, byEnd] = [this.#surplus, this.#byEnd - (this.#exceedingLimit() === undefined ? 0 : 1)];
    if (answered === undefined && bySuspension + byRelease + surplus + byEnd === 0) return undefined;
    return { bySuspension, byRelease, surplus, byEnd, ...(answered !== undefined && { answered }) };
  }

  /** The deletions that Kubernetes counts as failures of a failed Job, though their Pods show no failure. */
  counted(): readonly CauseGroup[] {
    const groups = this.#answersFailedJob() ? this.#answers.inOrder() : [];
    const exceeding = this.#exceedingLimit();
    return exceeding === undefined ? groups : [...groups, exceeding];
  }

  #answersFailedJob(): boolean {
    const { complete, failed } = this.#context.job;
    return complete === undefined && failed !== undefined && this.#countedAs() === "failed";
  }

  /**
   * A Pod that failed before the Job exceeded its backoffLimit. If every failure that Kubernetes counts is a Pod that
   * was deleted in the second of the end, the first deletion is the failure that led to it.
   */
  #exceedingLimit(): CauseGroup | undefined {
    const { reported, failed } = this.#context.job;
    const first = this.#firstTaken;
    if (first === undefined || reported === undefined || failed?.condition.reason !== EXCEEDED) return undefined;
    if (reportedTotal(reported.status, "failed") > this.#byEnd) return undefined;
    const exitCode = decisiveEnd(first)?.exitCode;
    const by = this.#deleterOf(first);
    const { actor, confidence } = by?.confidence === "certain" ? by : UNKNOWN_ACTOR;
    const why = { cause: "deleted", actor, confidence, ...(exitCode !== undefined && { exitCode }) } as const;
    const group = new CauseGroup({ pod: first, why, at: causedAt(first) });
    group.pods.add(first);
    return countedOnce(group);
  }

  /** A Pod that had failed before, or had never run, is a cause of the end itself. */
  #visitTaken(pod: PodRecord): void {
    if (causeOfPod(pod, this.#context) !== undefined) return;
    this.#byEnd += 1;
    const first = this.#firstTaken;
    if (first === undefined || isDeletedBefore(pod, first)) this.#firstTaken = pod;
  }

  #visitReleased(pod: PodRecord): void {
    const cause = this.#deleterOf(pod)?.cause.cause;
    if (cause === "jobSuspended") this.#bySuspension += 1;
    if (cause === "suspendedOrScaledDown") this.#byRelease += 1;
    if (cause === "notNeeded") this.#surplus += 1;
  }

  #visitAnswered(pod: PodRecord): void {
    this.#answeredPods += 1;
    const first = this.#firstAnswered;
    if (first === undefined || isBefore(pod, first)) this.#firstAnswered = pod;
    const why = causeOfAnswer(pod, this.#context);
    const group = why && this.#answers.add({ pod, why, at: causedAt(pod) });
    if (group !== undefined) countedOnce(group).answered = true;
  }

  #answered(): AnsweredDeletions | undefined {
    const first = this.#firstAnswered;
    if (first === undefined) return undefined;
    const { actor, confidence } = this.#deleterOf(first) ?? UNKNOWN_ACTOR;
    const countedAs = this.#countedAs();
    return { pods: this.#answeredPods, by: { actor, confidence }, ...(countedAs !== undefined && { countedAs }) };
  }

  /** The counters of a Job that is final or has settled show how these Pods were counted, if they are all alike. */
  #countedAs(): AnsweredDeletions["countedAs"] {
    const { reported, complete, failed } = this.#context.job;
    if (reported === undefined || (complete ?? failed) === undefined) return undefined;
    if (reportedTotal(reported.status, "failed") === 0) return "succeeded";
    const missing = this.#succeeded - reportedTotal(reported.status, "succeeded");
    return missing === this.#answeredPods ? "failed" : undefined;
  }

  #deleterOf(pod: PodRecord): Attribution | undefined {
    return attributePodDeletion(pod, this.#context.job, this.#context.clusterContext);
  }
}

const EXCEEDED = "BackoffLimitExceeded";
const UNKNOWN_ACTOR = { actor: "unknown", confidence: "possible" } as const;

function countedOnce(group: CauseGroup): CauseGroup {
  group.attempts += 1;
  group.counted += 1;
  return group;
}

/** Within one second only the resourceVersions order deletions. */
function isDeletedBefore(a: PodRecord, b: PodRecord): boolean {
  const [ad, bd] = [a.deletionRequested, b.deletionRequested];
  const order = ad === undefined || bd === undefined ? 0 : compareOrder(ad, bd);
  return order < 0 || (order === 0 && a.uid < b.uid);
}

function isBefore(a: PodRecord, b: PodRecord): boolean {
  const [at, bt] = [a.deletionRequested?.requestedAt ?? 0, b.deletionRequested?.requestedAt ?? 0];
  return at < bt || (at === bt && a.uid < b.uid);
}
