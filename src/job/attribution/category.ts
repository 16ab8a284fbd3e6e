import type { ClusterContext } from "../model/cluster-context.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { goneBy, unreadyBetween } from "../model/node-readiness.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { firstEnd, isStillRunning, isUnknownEnd, outcomeOf } from "../model/outcome.ts";
import { lastEnds, decisiveEnd } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

export type Category =
  | "application"
  | "oom"
  | "eviction"
  | "preemption"
  | "node-loss"
  | "image"
  | "configuration"
  | "scheduling"
  | "probe"
  | "deadline"
  | "deleted"
  | "unknown";

interface Case {
  readonly pod: PodRecord;
  readonly job: JobObject;
  readonly clusterContext: ClusterContext;
  /** `status.reason` of the failed Pod. */
  readonly reason: string;
}

/**
 * The category of what stopped a Pod or delays it (job-semantics 12). `undefined` for a Pod that succeeded and for one
 * without a problem. A cause outside of the program has priority over the exit code that it led to, unless the program
 * had already failed.
 */
export function categoryOf(pod: PodRecord, job: JobObject, clusterContext: ClusterContext): Category | undefined {
  const end = firstEnd(pod);
  if (end?.phase === "Succeeded") return undefined;
  if (outcomeOf(pod) === "Active") return waitingCategory(pod);
  for (const signOf of SIGNS) {
    const category = signOf({ pod, job, clusterContext, reason: end?.reason ?? "" });
    if (category !== undefined) return category;
  }
  return "unknown";
}

/** Rules in order of priority: the first that applies decides. */
const SIGNS: readonly ((sign: Case) => Category | undefined)[] = [
  outOfMemory,
  disruptionCategory,
  ({ reason }) => REASONS.get(reason),
  refusalCategory,
  startCategory,
  lostCategory,
  deletionCategory,
  exitCategory,
];

/** `status.reason` of a Pod, as the kubelet and older controllers write it. */
const REASONS: ReadonlyMap<string, Category> = new Map([
  ["Evicted", "eviction"],
  ["DeadlineExceeded", "deadline"],
  ["NodeLost", "node-loss"],
  ["NodeShutdown", "node-loss"],
  ["Shutdown", "node-loss"],
  ["Terminated", "node-loss"],
  ["Preempting", "preemption"],
]);

/** The node rejected the Pod at admission: no program ran, although the Pod's spec is valid. */
function refusalCategory({ reason }: Case): Category | undefined {
  const refused = reason.startsWith("OutOf") || reason === "NodeAffinity" || reason === "UnexpectedAdmissionError";
  return refused ? "eviction" : undefined;
}

const IMAGE = new Set([
  "ImagePullBackOff",
  "ErrImagePull",
  "ErrImageNeverPull",
  "InvalidImageName",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);
const CONFIGURATION = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "PreCreateHookError",
  "PreStartHookError",
  "PostStartHookError",
]);

function waitingCategory(pod: PodRecord): Category | undefined {
  const reason = pod.observed?.waiting?.reason ?? "";
  if (IMAGE.has(reason)) return "image";
  if (CONFIGURATION.has(reason)) return "configuration";
  if (reason !== "CrashLoopBackOff") return undefined;
  return categoryOfRun(pod) ?? "application";
}

/** Why a container that is started again and again ends. */
function categoryOfRun(pod: PodRecord): Category | undefined {
  return outOfMemory({ pod }) ?? startCategory({ pod });
}

function outOfMemory({ pod }: Pick<Case, "pod">): Category | undefined {
  return decisiveEnd(pod)?.reason === "OOMKilled" ? "oom" : undefined;
}

function disruptionCategory({ pod, clusterContext }: Case): Category | undefined {
  const { disrupted, failed } = pod;
  if (disrupted === undefined || !isDisruptedFirst(disrupted, failed)) return undefined;
  const { reason } = disrupted;
  if (reason === "TerminationByKubelet") return REASONS.get(failed?.reason ?? "") ?? "eviction";
  if (reason === "DeletionByTaintManager") return isNodeLost(pod, clusterContext) ? "node-loss" : "eviction";
  return DISRUPTIONS.get(reason) ?? "eviction";
}

/**
 * A condition that became true after the failure did not cause it. The kubelet writes both at once; other components
 * write the condition first.
 */
function isDisruptedFirst(disrupted: Order, failed: Order | undefined): boolean {
  return failed === undefined || compareOrder(disrupted, failed) <= 0;
}

/** Reasons of condition DisruptionTarget (KEP-3329) with one category each. */
const DISRUPTIONS: ReadonlyMap<string, Category> = new Map([
  ["PreemptionByScheduler", "preemption"],
  ["PreemptionByKubeScheduler", "preemption"],
  ["EvictionByEvictionAPI", "eviction"],
  ["DeletionByPodGC", "node-loss"],
]);

/** The container could not be started: StartError and similar reasons, and a shell that did not find the program. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const START_REASONS = new Set(["StartError", "ContainerCannotRun", "ContainerDidNotRun"]);

function startCategory({ pod }: Pick<Case, "pod">): Category | undefined {
  const end = decisiveEnd(pod);
  if (end === undefined) return pod.failed === undefined && !isStarted(pod) ? waitingOfGone(pod) : undefined;
  const unstartable =
    START_REASONS.has(end.reason ?? "") || end.exitCode === NOT_EXECUTABLE || end.exitCode === NOT_FOUND;
  return unstartable ? "configuration" : undefined;
}

/** A Pod that was taken away while it waited for its image or its configuration. */
function waitingOfGone(pod: PodRecord): Category | undefined {
  const reason = pod.observed?.waiting?.reason ?? "";
  return IMAGE.has(reason) ? "image" : CONFIGURATION.has(reason) ? "configuration" : undefined;
}

/** Killed: SIGKILL or SIGTERM, as a deletion ends a container. */
const KILLED = new Set([137, 143]);

/**
 * Pod GC marks the Pods of a lost node as ended, without knowing what their containers do. Older servers delete them
 * unchanged.
 */
function lostCategory({ pod, clusterContext }: Case): Category | undefined {
  const { failed } = pod;
  if (failed === undefined) return isNodeLost(pod, clusterContext) ? "node-loss" : undefined;
  return isStillRunning(pod) ? "node-loss" : undefined;
}

function deletionCategory({ pod, job }: Case): Category | undefined {
  const { deletionRequested, failed } = pod;
  if (deletionRequested === undefined || hadFailedItself(pod)) return undefined;
  if (failed !== undefined && compareOrder(failed, deletionRequested) < 0) return undefined;
  return job.failed?.condition.reason === "DeadlineExceeded" ? "deadline" : "deleted";
}

/** The program had failed by itself before the deletion of the Pod was requested. */
function hadFailedItself(pod: PodRecord): boolean {
  const { deletionRequested } = pod;
  const end = decisiveEnd(pod);
  if (end === undefined || deletionRequested === undefined) return false;
  if (end.exitCode === 0 || KILLED.has(end.exitCode)) return false;
  // Within one second, only resourceVersions order the two facts. A silent node reports an end late.
  return compareOrder(end, deletionRequested) < 0 || (end.finishedAt ?? Infinity) < deletionRequested.requestedAt;
}

function exitCategory({ pod }: Case): Category | undefined {
  const end = decisiveEnd(pod);
  return end === undefined || end.exitCode === 0 || isUnknownEnd(end) ? undefined : "application";
}

function isNodeLost(pod: PodRecord, clusterContext: ClusterContext): boolean {
  const fact = pod.deletionRequested ?? pod.disrupted ?? pod.deleted ?? pod.vanished;
  if (fact === undefined) return false;
  const node = pod.scheduled?.node;
  const at = instantOf(fact);
  return (
    goneBy(node, at, clusterContext) !== undefined ||
    unreadyBetween(node, { from: at, to: at }, clusterContext) !== undefined
  );
}

function isStarted(pod: PodRecord): boolean {
  return pod.started !== undefined || lastEnds(pod).length > 0;
}
