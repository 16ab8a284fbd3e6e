import { causeOfRun } from "./failed-run.ts";
import { causeOfNeverRunning, hasRunContainer } from "./never-ran.ts";
import type { OutcomeLost, PodCause } from "./pod-cause.ts";
import { causeOfTaking } from "./taken-away.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import type { ClusterContext } from "../model/cluster-record.ts";
import type { ContainerEnded } from "../model/fact.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd, isPlaceholder, outcomeOf } from "../model/outcome.ts";
import { decisiveEnd } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

export interface CauseContext {
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
}

/**
 * Why a Pod ended without success. `undefined` for one that succeeded or still runs, and for one that the Job
 * controller deleted because the Job had ended: such a Pod is a consequence, unless it had never run or had failed
 * before.
 */
export function causeOfPod(pod: PodRecord, context: CauseContext): PodCause | undefined {
  const outcome = outcomeOf(pod);
  if (outcome === "Succeeded" || outcome === "Active") return undefined;
  const { clusterContext } = context;
  const end = decisiveEnd(pod);
  if (end?.reason === "OOMKilled") return causeOfRun(pod, end, clusterContext);
  const outside = causeOfTaking(pod, clusterContext) ?? causeOfNeverRunning(pod, clusterContext);
  if (outside !== undefined) return outside;
  return end === undefined || isPlaceholder(end) ? causeOfUnknownEnd(pod, context) : causeOfEnd(pod, end, context);
}

/** Why containers of the Pod failed and were restarted in place: the first failed run. */
export function causeOfRestarts(pod: PodRecord, { clusterContext }: CauseContext): PodCause | undefined {
  const [first] = [...replacedRuns(pod)].sort(byRun);
  return first === undefined ? undefined : causeOfRun(pod, first, clusterContext);
}

/** How many runs of the Pod's containers failed and were restarted in place, as far as they are known. */
export function failedRunsOf(pod: PodRecord): number {
  return replacedRuns(pod).length;
}

/** The last run of a container is none of them, unless the Pod goes on: a sidecar is killed when the work is done. */
function replacedRuns(pod: PodRecord): readonly ContainerEnded[] {
  const isActive = outcomeOf(pod) === "Active";
  const ends = [...(pod.ended?.values() ?? [])];
  const isReplaced = (end: ContainerEnded): boolean =>
    isActive ||
    ends.some(({ container, restartCount }) => container === end.container && restartCount > end.restartCount);
  return ends.filter((end) => isFailedRun(end) && isReplaced(end));
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

/** SIGKILL and SIGTERM, and a program that answers SIGTERM with success. */
const ANSWERS_TO_DELETION: ReadonlySet<number> = new Set([0, 137, 143]);

/**
 * Whether the deletion was requested before the container ended, as a deletion ends one. Only the resourceVersion
 * orders both.
 */
function wasDeletedFirst(pod: PodRecord, end: ContainerEnded): boolean {
  const { deletionRequested } = pod;
  if (deletionRequested === undefined || compareOrder(end, deletionRequested) < 0) return false;
  if (ANSWERS_TO_DELETION.has(end.exitCode)) return true;
  return end.finishedAt === undefined || end.finishedAt >= deletionRequested.requestedAt;
}

/** Of a Pod that the Job's end took away, the restarts in place before it are the cause. */
function causeOfDeletion(pod: PodRecord, context: CauseContext, exitCode?: number): PodCause | undefined {
  if (isTakenByVerdict(pod, context.job)) return restartsBeforeDeletion(pod, context);
  const by = attributePodDeletion(pod, context.job, context.clusterContext);
  const { actor = "unknown", confidence = "possible" } = by ?? {};
  return { cause: "deleted", actor, confidence, ...(exitCode !== undefined && { exitCode }) };
}

function restartsBeforeDeletion(pod: PodRecord, context: CauseContext): PodCause | undefined {
  const asked = pod.deletionRequested;
  const [first] = [...(pod.ended?.values() ?? [])]
    .filter((end) => isFailedRun(end) && (asked === undefined || compareOrder(end, asked) < 0))
    .sort(byRun);
  return first === undefined ? undefined : causeOfRun(pod, first, context.clusterContext);
}

/** Nobody observed how its containers ended. */
function causeOfUnknownEnd(pod: PodRecord, context: CauseContext): PodCause | undefined {
  if (!hasRunContainer(pod)) return causeOfDeletion(pod, context);
  const { deletionRequested } = pod;
  if (firstEnd(pod) !== undefined) return lost(pod, "kubelet");
  if (deletionRequested === undefined) return lost(pod, "kubelet");
  if (isTakenByVerdict(pod, context.job)) return restartsBeforeDeletion(pod, context);
  return deletionRequested.graceSeconds === 0 ? lost(pod, "deletion") : causeOfDeletion(pod, context);
}

function lost(pod: PodRecord, by: OutcomeLost["by"]): OutcomeLost {
  const node = pod.scheduled?.node;
  return { cause: "outcomeLost", by, ...(node !== undefined && { node }) };
}
