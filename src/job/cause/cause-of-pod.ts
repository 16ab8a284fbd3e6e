import { isSameCause } from "./cause-groups.ts";
import { answeredProbe, causeOfRun } from "./failed-run.ts";
import { blockedContainer, causeOfNeverRunning, hasRunContainer } from "./never-ran.ts";
import type { OutcomeLost, PodCause } from "./pod-cause.ts";
import { causeOfTaking } from "./taken-away.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { endedBefore } from "../attribution/pod-deletion-case.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import type { ContainerEnded } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd, outcomeOf } from "../model/outcome.ts";
import { decisiveEnd, isOwnSuccess, isWhileTerminating, lastEnds } from "../model/pod-end.ts";
import { isPlaceholder, type PodRecord } from "../model/pod-record.ts";

export interface CauseContext {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
}

/**
 * Why a Pod ended without success. `undefined` for one that succeeded or still runs, and for one that the Job
 * controller deleted because the Job had ended, was suspended or scaled down: such a Pod is a consequence, unless it
 * had failed before, or had never run until the Job ended.
 */
export function causeOfPod(pod: PodRecord, context: CauseContext): PodCause | undefined {
  const outcome = outcomeOf(pod);
  if (outcome === "Succeeded" || outcome === "Active") return undefined;
  const { clusterContext } = context;
  const end = decisiveEnd(pod);
  if (end?.reason === "OOMKilled") return causeOfRun(pod, end, clusterContext);
  if (isReleasedByJob(pod, context)) return runBeforeDeletion(pod, context);
  const outside = causeOfTaking(pod, clusterContext) ?? causeOfNeverRunning(pod, clusterContext);
  if (outside !== undefined) return outside;
  return end === undefined || isPlaceholder(end) ? causeOfUnknownEnd(pod, context) : causeOfEnd(pod, end, context);
}

/**
 * Why a Pod that succeeded may count as failed: it was deleted while it ran, and its program then exited with code 0.
 * Only the Job's counters show how it counts.
 */
export function causeOfAnswer(pod: PodRecord, context: CauseContext): PodCause | undefined {
  if (!hasAnsweredDeletion(pod, context)) return undefined;
  const exitCode = decisiveEnd(pod)?.exitCode;
  return causeOfTaking(pod, context.clusterContext) ?? deletedBy(pod, context, exitCode);
}

/** The garbage collector deletes Pods with their Job. The deletion of the Job explains that. */
export function hasAnsweredDeletion(pod: PodRecord, context: CauseContext): boolean {
  const { job, clusterContext } = context;
  if (pod.deletionRequested === undefined || outcomeOf(pod) !== "Succeeded" || isOwnSuccess(pod)) return false;
  if (isTakenByVerdict(pod, job) || isReleasedByJob(pod, context)) return false;
  return attributePodDeletion(pod, job, clusterContext)?.actor !== "generic-garbage-collector";
}

/** A failed run of a container that was restarted in place. */
export interface FailedRun {
  readonly why: PodCause;
  readonly at: Instant;
}

/** Why containers of the Pod failed and were restarted in place: the failed runs in their order, as far as known. */
export function failedRunsOf(pod: PodRecord, { clusterContext }: CauseContext): readonly FailedRun[] {
  return [...replacedRuns(pod)].sort(byRun).flatMap((end) => {
    const why = causeOfRun(pod, end, clusterContext);
    return why === undefined ? [] : [{ why, at: instantOf(end) }];
  });
}

/**
 * Containers that were killed in a Pod that did not fail because of it: another container failed before one ran out of
 * memory, the main process survived a killed child process, or the program answered a failed probe with success.
 */
export function killedBeside(
  pod: PodRecord,
  why: PodCause | undefined,
  { clusterContext }: CauseContext,
): readonly FailedRun[] {
  const outcome = outcomeOf(pod);
  if (outcome === "Active") return [];
  const hasKilled = [...(pod.ended?.values() ?? [])].some(({ reason }) => reason === "OOMKilled");
  if (!hasKilled && outcome !== "Succeeded") return [];
  return lastEnds(pod).flatMap((end) => {
    const own =
      end.reason === "OOMKilled" ? causeOfRun(pod, end, clusterContext) : answeredProbe(pod, end, clusterContext);
    return own === undefined || (why !== undefined && isSameCause(own, why)) ? [] : [{ why: own, at: instantOf(end) }];
  });
}

/**
 * Excludes the last run of a container unless the Pod continues, and the ends of sidecars in a Pod that is being
 * deleted: a sidecar is killed when the work is done.
 */
function replacedRuns(pod: PodRecord): readonly ContainerEnded[] {
  const isActive = outcomeOf(pod) === "Active";
  const ends = [...(pod.ended?.values() ?? [])];
  const isReplaced = (end: ContainerEnded): boolean =>
    isActive ||
    ends.some(({ container, restartCount }) => container === end.container && restartCount > end.restartCount);
  return ends.filter((end) => isFailedRun(end) && isReplaced(end) && !isWhileTerminating(pod, end));
}

function isFailedRun(end: ContainerEnded): boolean {
  return !isPlaceholder(end) && (end.exitCode !== 0 || end.reason === "OOMKilled");
}

function byRun(a: ContainerEnded, b: ContainerEnded): number {
  return compareOrder(a, b) || a.restartCount - b.restartCount || (a.container < b.container ? -1 : 1);
}

function causeOfEnd(pod: PodRecord, end: ContainerEnded, context: CauseContext): PodCause | undefined {
  if (wasDeletedFirst(pod, end)) return causeOfDeletion(pod, context, end.exitCode);
  return causeOfRun(pod, end, context.clusterContext);
}

/** SIGKILL, SIGTERM, and exit code 0 of a program that handles SIGTERM. */
const ANSWERS_TO_DELETION: ReadonlySet<number> = new Set([0, 137, 143]);

/**
 * Whether the deletion was requested before the container ended, so that it can have ended it. Only resourceVersions
 * order the two.
 */
function wasDeletedFirst(pod: PodRecord, end: ContainerEnded): boolean {
  const { deletionRequested } = pod;
  if (deletionRequested === undefined || compareOrder(end, deletionRequested) < 0) return false;
  if (ANSWERS_TO_DELETION.has(end.exitCode)) return true;
  return end.finishedAt === undefined || end.finishedAt >= deletionRequested.requestedAt;
}

/** If a Pod was deleted because of the Job's end, its earlier restarts in place are the cause. */
function causeOfDeletion(pod: PodRecord, context: CauseContext, exitCode?: number): PodCause | undefined {
  if (isTakenByVerdict(pod, context.job)) return beforeRunning(pod, context) ?? runBeforeDeletion(pod, context);
  return deletedBy(pod, context, exitCode);
}

function deletedBy(pod: PodRecord, { job, clusterContext }: CauseContext, exitCode?: number): PodCause {
  const { actor = "unknown", confidence = "possible", cause } = attributePodDeletion(pod, job, clusterContext) ?? {};
  return {
    cause: "deleted",
    actor,
    confidence,
    ...(exitCode !== undefined && { exitCode }),
    ...(cause?.cause === "nodeLifecycle" && { during: cause.type }),
    ...(cause?.cause === "evictionRequested" && { requesters: cause.requesters }),
  };
}

function runBeforeDeletion(pod: PodRecord, context: CauseContext): PodCause | undefined {
  const asked = pod.deletionRequested;
  const [first] = [...(pod.ended?.values() ?? [])]
    .filter((end) => isFailedRun(end) && (asked === undefined || compareOrder(end, asked) < 0))
    .sort(byRun);
  return first === undefined ? undefined : causeOfRun(pod, first, context.clusterContext);
}

/**
 * Whether the Job controller stopped the Pod because of a suspension or because it was not needed: such a Pod is not
 * counted (job-semantics 3.4).
 */
export function isReleasedByJob(pod: PodRecord, { job, clusterContext }: CauseContext): boolean {
  const { deletionRequested } = pod;
  if (deletionRequested === undefined || endedBefore(pod, deletionRequested)) return false;
  if (isTakenByVerdict(pod, job)) return false;
  return attributePodDeletion(pod, job, clusterContext)?.actor === "job-controller";
}

/** The end of its containers was not observed. */
function causeOfUnknownEnd(pod: PodRecord, context: CauseContext): PodCause | undefined {
  if (!hasRunContainer(pod)) return causeOfDeletion(pod, context);
  const early = beforeRunning(pod, context);
  if (early !== undefined) return early;
  const { deletionRequested } = pod;
  if (firstEnd(pod) !== undefined) return lost(pod, "kubelet");
  if (deletionRequested === undefined) return lost(pod, "kubelet");
  if (isTakenByVerdict(pod, context.job)) return runBeforeDeletion(pod, context);
  return deletionRequested.graceSeconds === 0 ? lost(pod, "deletion") : causeOfDeletion(pod, context);
}

/**
 * A Pod is Running only after each container has started. A Pod that never was Running has placeholder ends for
 * containers that never ran: another container kept them waiting, or their own image or configuration did.
 */
function beforeRunning(pod: PodRecord, context: CauseContext): PodCause | undefined {
  const { started, waited, ended } = pod;
  if (started !== undefined) return undefined;
  const ran = [...(ended?.values() ?? [])].filter((end) => !isPlaceholder(end));
  const isBlocked = !ran.some(({ container }) => container === waited?.waiting?.container);
  return (isBlocked ? blockedContainer(pod) : undefined) ?? runBeforeDeletion(pod, context);
}

function lost(pod: PodRecord, by: OutcomeLost["by"]): OutcomeLost {
  const node = pod.scheduled?.node;
  return { cause: "outcomeLost", by, ...(node !== undefined && { node }) };
}
