import type { ContainerEnded, PodTerminated } from "./fact.ts";
import { compareOrder } from "./order.ts";
import { isPlaceholder, type PodRecord } from "./pod-record.ts";

export type Outcome = "Succeeded" | "Failed" | "Active" | "Terminating" | "Unknown";

/**
 * What became of the Pod. The first terminal phase decides. A Pod that is gone without one is Unknown, never Failed,
 * and so is a failed Pod if no container says how its program ended.
 */
export function outcomeOf(pod: PodRecord): Outcome {
  const end = firstEnd(pod);
  if (end !== undefined) return lostEndOf(pod) === undefined ? end.phase : "Unknown";
  if (isGone(pod)) return "Unknown";
  return pod.deletionRequested === undefined ? "Active" : "Terminating";
}

/** The first terminal phase that was observed of the Pod. */
export function firstEnd({ succeeded, failed }: PodRecord): PodTerminated | undefined {
  if (succeeded === undefined || failed === undefined) return succeeded ?? failed;
  return compareOrder(failed, succeeded) < 0 ? failed : succeeded;
}

/** The Pod object no longer exists. */
export function isGone({ deleted, vanished }: PodRecord): boolean {
  return deleted !== undefined || vanished !== undefined;
}

/** Both terminal phases were observed: the phase was written again after the Pod had ended. */
export function hasFlipped({ succeeded, failed }: PodRecord): boolean {
  return succeeded !== undefined && failed !== undefined;
}

/** The exit code that containerd gives to a container that ended while containerd or the node was down. */
const LOST_EXIT_CODE = 255;

/** The container runtime or the node was down when the container ended: the exit code is not the program's. */
export function isLostByRuntime({ exitCode, reason }: Pick<ContainerEnded, "exitCode" | "reason">): boolean {
  return exitCode === LOST_EXIT_CODE && reason === "Unknown";
}

/** How the program ended is unknown, whatever exit code is reported. */
export function isUnknownEnd(end: ContainerEnded): boolean {
  return isPlaceholder(end) || isLostByRuntime(end);
}

/** Containers that ran when the Pod was reported Failed, and whose end was not observed later either. */
export function isStillRunning({ ended, ...pod }: PodRecord): boolean {
  const ends = [...(ended?.values() ?? [])].filter((end) => !isUnknownEnd(end));
  const running = firstEnd(pod)?.stillRunning ?? [];
  return running.some((name) => !ends.some(({ container }) => container === name));
}

/** Why a failed Pod does not show how its program ended; `undefined` if it does. */
export type LostEnd =
  /** Its containers still ran when it was reported Failed, as Pod GC does for a lost node. */
  "stillRunning" | "runtimeDown" | "containerLost" | "nodeShutdown";

export function lostEndOf(pod: PodRecord): LostEnd | undefined {
  const end = firstEnd(pod);
  if (end?.phase !== "Failed") return undefined;
  const last = lastRuns(pod);
  if (last.some((one) => !isUnknownEnd(one) && one.exitCode !== 0)) return undefined;
  if (isStillRunning(pod)) return "stillRunning";
  if (last.some(isLostByRuntime)) return "runtimeDown";
  if (end.reason !== EVICTED && last.some((one) => isPlaceholder(one) && mayHaveRun(pod, one))) return "containerLost";
  return isShutdown(end) && last.some(({ exitCode }) => exitCode === 0) ? "nodeShutdown" : undefined;
}

/** The kubelet evicts a Pod by killing its containers: their program did not end by itself. */
const EVICTED = "Evicted";

/** The last known run of each container that decides the phase. */
function lastRuns(pod: PodRecord): readonly ContainerEnded[] {
  const ends = [...(pod.ended?.values() ?? [])].filter((end) => !isSidecar(pod, end));
  return ends.filter((end) => !isFollowed(end, ends));
}

/**
 * `status.reason` of a Pod that the kubelet ended because its node shut down. A program may answer that with exit code
 * 0, whether or not its work was done.
 */
const SHUTDOWN_REASONS: ReadonlySet<string> = new Set(["Terminated", "NodeShutdown", "Shutdown"]);

function isShutdown({ reason = "" }: PodTerminated): boolean {
  return SHUTDOWN_REASONS.has(reason);
}

/** Whether the same container has a later run, or a real end of this run. */
function isFollowed(end: ContainerEnded, ends: readonly ContainerEnded[]): boolean {
  return ends.some(
    (other) =>
      other.container === end.container &&
      (other.restartCount > end.restartCount ||
        (other.restartCount === end.restartCount && isPlaceholder(end) && !isPlaceholder(other))),
  );
}

/**
 * Whether the container behind a placeholder may have run. A Pod is Pending until each container has started: one that
 * was observed to wait, and whose Pod was never Running, did not run.
 */
function mayHaveRun({ started, waited, ended }: PodRecord, { container }: ContainerEnded): boolean {
  if (started !== undefined) return true;
  if (waited?.waiting?.container === container) return false;
  return [...(ended?.values() ?? [])].some((end) => !isPlaceholder(end));
}

function isSidecar({ created }: PodRecord, { container }: ContainerEnded): boolean {
  return created?.sidecars?.includes(container) === true;
}
